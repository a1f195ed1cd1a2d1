import { once } from 'node:events'

/** What V8 tells of a time; see https://chromedevtools.github.io/devtools-protocol/v8/Profiler/#type-Profile. */
export type Profile = {
  nodes: { id: number; callFrame: { functionName: string; url: string }; children?: number[] }[]
  /** The node that ran at each look, and the microseconds since the look before. */
  samples: number[]
  timeDeltas: number[]
}

/** Microseconds between two looks. */
const interval = 500

/** What the main thread of a process that was started with `--inspect=PORT` does meanwhile. */
export async function recordProfile(inspectPort: number, work: () => Promise<void>): Promise<Profile> {
  const [target] = (await (await fetch(`http://127.0.0.1:${inspectPort}/json/list`)).json()) as [
    { webSocketDebuggerUrl: string },
  ]
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  const closed = once(socket, 'close').then((): never => {
    throw new Error('The server that is looked at has ended')
  })
  // In the end it is closed by us.
  closed.catch(() => {})
  await Promise.race([closed, once(socket, 'open')])
  const answers = new Map<number, (result: unknown) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id: number; result: unknown }
    answers.get(id)?.(result)
  })
  function ask(id: number, method: string, params = {}): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    answers.set(id, resolve)
    socket.send(JSON.stringify({ id, method, params }))
    return Promise.race([closed, promise])
  }
  try {
    await ask(1, 'Profiler.enable')
    await ask(2, 'Profiler.setSamplingInterval', { interval })
    await ask(3, 'Profiler.start')
    await work()
    const { profile } = (await ask(4, 'Profiler.stop')) as { profile: Profile }
    return profile
  } finally {
    socket.close()
  }
}
