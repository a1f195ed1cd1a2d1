import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Answer, ProcessSettings, Task } from './messages.ts'

const main = fileURLToPath(new URL('./process-main.ts', import.meta.url))
const startTimeoutMs = 30_000
/** Answering people goes first. */
const niceness = 10

export type PdfProcess = {
  readonly hasEnded: boolean
  /**
   * One task at a time.
   * @throws ProcessEnded when the process does not survive the file, and the signal's reason when that aborts, which
   *   ends the process too. Either way it is gone by then.
   */
  perform(task: Task, signal: AbortSignal): Promise<Answer>
  end(): Promise<void>
}

/** Why a process ended. */
export class ProcessEnded extends Error {
  override name = 'ProcessEnded'
}

/** @throws ProcessEnded when it does not start. Generous with time: a machine may be busy. */
export async function startPdfProcess(settings: ProcessSettings): Promise<PdfProcess> {
  const child = fork(main, [JSON.stringify(settings)], {
    // No environment, hence no secrets.
    env: {},
    // No network and no programs, should a file ever get further than it should.
    execArgv: ['--permission', '--allow-fs-read=*', '--allow-fs-write=*', '--allow-worker'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  lowerPriority(child)
  // What cannot be sent shows in the process having ended.
  child.on('error', () => {})
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()))

  async function end() {
    child.kill('SIGKILL')
    await exited
  }

  async function nextAnswer(signal: AbortSignal): Promise<Answer> {
    const stopListening = new AbortController()
    try {
      const answer = await Promise.race([
        once(child, 'message', { signal: AbortSignal.any([signal, stopListening.signal]) }).then(([first]) => first),
        exited.then((): Answer => ({ kind: 'ended', reason: 'crash' })),
      ])
      if (answer.kind !== 'ended') return answer
      await end()
      throw new ProcessEnded(answer.reason)
    } catch (error) {
      await end()
      throw signal.aborted ? signal.reason : error
    } finally {
      stopListening.abort()
    }
  }

  const process: PdfProcess = {
    get hasEnded() {
      return !child.connected
    },
    perform(task, signal) {
      const answer = nextAnswer(signal)
      if (child.connected) child.send(task)
      return answer
    },
    end,
  }
  const answer = await nextAnswer(AbortSignal.timeout(startTimeoutMs))
  if (answer.kind !== 'ready') throw new ProcessEnded('no start')
  return process
}

/** Where the system allows it. */
function lowerPriority(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) setPriority(child.pid, niceness)
  } catch {}
}
