import { ConfigError, readConfig } from './config.ts'
import { type RunningServer, startServer } from './start.ts'

/** Prints for the person at the terminal; everything else goes through the log. */
const say = (text: string) => process.stdout.write(`${text}\n`)

/** Ends the process by signal: the first stops in order, a second one at once. */
export function stopOnSignal(stop: () => Promise<void>): void {
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
  const { publicUrl } = server.deps.config
  say(`
  Lectern is open at ${publicUrl}
  Mails go ${server.mail}${server.deps.outbox ? ` (read them at ${publicUrl}/dev/outbox)` : ''}
  The API is described at ${publicUrl}/api/docs
  Stop with Ctrl+C.
`)
  return server
}

/** What went wrong, in one clear line for what a person can mend, with the stack for what is a mistake of ours. */
export function reportAndExit(error: unknown): never {
  const known = error instanceof ConfigError || (error instanceof Error && 'isExpected' in error)
  const text = error instanceof Error ? (known ? error.message : (error.stack ?? error.message)) : String(error)
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

if (import.meta.main) run(process.env).catch(reportAndExit)
