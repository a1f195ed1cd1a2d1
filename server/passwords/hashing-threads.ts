import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Options } from '@node-rs/argon2'
import type { HashingAnswer, HashingTask } from './messages.ts'

export type HashingThreads = {
  hash(password: string, options: Options): Promise<string>
  /** @throws when what it is compared with is no hash. */
  verify(hash: string, password: string): Promise<boolean>
  /** Ends them; what they are doing fails, and whatever comes later. */
  close(): Promise<void>
}

/** What a thread needs besides argon2's memory, which does not count here. */
const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 }

/**
 * Threads for hashing alone, which stand back: Node's own four also read files and look up names. Each starts when it is
 * needed; how many hash at once is for the caller to limit.
 */
export function createHashingThreads(): HashingThreads {
  const all = new Set<Worker>()
  const resting = new Set<Worker>()
  let isClosed = false

  function start(): Worker {
    const thread = new Worker(new URL('./hashing-thread.ts', import.meta.url), { resourceLimits })
    all.add(thread)
    // Whoever waits for it is told; what happens to one that rests is that another takes its place.
    thread.on('error', () => {})
    thread.once('exit', () => {
      all.delete(thread)
      resting.delete(thread)
    })
    return thread
  }

  async function run(task: HashingTask): Promise<string | boolean> {
    if (isClosed) throw new Error('The threads that hash have ended')
    const [thread = start()] = resting
    resting.delete(thread)
    // While it rests it keeps no process alive.
    thread.ref()
    thread.postMessage(task)
    const answer = await nextAnswer(thread)
    thread.unref()
    resting.add(thread)
    if ('error' in answer) throw answer.error
    return answer.result
  }

  return {
    hash: async (password, options) => String(await run({ kind: 'hash', password, options })),
    verify: async (hash, password) => (await run({ kind: 'verify', hash, password })) === true,
    close: async () => {
      isClosed = true
      await Promise.all([...all].map((thread) => thread.terminate()))
    },
  }
}

/** @throws when the thread fails or is ended. */
async function nextAnswer(thread: Worker): Promise<HashingAnswer> {
  const stopListening = new AbortController()
  const { signal } = stopListening
  try {
    return await Promise.race([
      // Rejects with what the thread fails of.
      once(thread, 'message', { signal }).then(([answer]): HashingAnswer => answer),
      once(thread, 'exit', { signal }).then((): never => {
        throw new Error('A thread that hashes has ended')
      }),
    ])
  } finally {
    stopListening.abort()
  }
}
