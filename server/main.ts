import { readConfig } from './config.ts'
import { type RunningServer, startServer } from './start.ts'

/** Prints for the person at the terminal; everything else goes through the log. */
const say = (text: string) => process.stdout.write(`${text}\n`)

/** Ends the process by signal: the first stops in order, a second one at once. */
function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1)
      stopping = true
      say('Stopping …')
      stop().then(
        () => process.exit(0),
        (error) => {
          process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
          process.exit(1)
        },
      )
    })
  }
}

export async function run(env: NodeJS.ProcessEnv): Promise<RunningServer> {
  let stopRequested: (() => Promise<void>) | null = null
  stopOnSignal(async () => stopRequested?.())
  const server = await startServer(readConfig(env))
  stopRequested = server.stop
  const { publicUrl, port } = server.deps.config
  say(`
  Lectern is open at ${publicUrl}
  Mails go ${server.mail}${server.deps.outbox ? ` (read them on this machine at http://localhost:${port}/dev/outbox)` : ''}
  The API is described at ${publicUrl}/api/docs
  Stop with Ctrl+C.
`)
  return server
}

/** What went wrong at the start in a line that says what to do. LOG_LEVEL=debug adds where it went wrong. */
export function reportAndExit(error: unknown): never {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  const isPortTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
  const text = isPortTaken ? `PORT is in use by another program. Set PORT to another one (${message}).` : message
  process.stderr.write(`${process.env.LOG_LEVEL === 'debug' ? stack : text}\n`)
  process.exit(1)
}

if (import.meta.main) run(process.env).catch(reportAndExit)
