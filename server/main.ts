import { ConfigError, findMisspelledVariables, readConfig } from './config.ts'
import { assertCompleteInstall } from './operations/start/check-install.ts'
import { explainStartError, isWrongSetting } from './operations/start/explain-start-error.ts'
import { endsWithParent, isProduction, onParentExit, printError, printLine } from './operations/start/process.ts'
import { type RunningServer, startServer, stopTimeoutMs } from './operations/start/start-server.ts'
import { OtherSchemaError } from './platform/db/migrate.ts'

/** npm passes on what its whole process group was sent already: signals so close together are one wish. */
const sameWishMs = 1_000

/**
 * Ends the process in order: by a signal, or with the shell of `npm start`. A later signal ends it at once.
 * @returns what tells others, before anything is closed.
 */
function handleStopSignals(stop: () => Promise<void>, drainSeconds: number): AbortSignal {
  const stopping = new AbortController()
  let toldAt: number | null = null
  function tell(isSignal: boolean): void {
    if (toldAt !== null) {
      if (isSignal && performance.now() - toldAt > sameWishMs) process.exit(1)
      return
    }
    toldAt = performance.now()
    printLine('Stopping …')
    stopping.abort()
    setTimeout(() => exitWithError('Not everything ended in time.'), drainSeconds * 1_000 + stopTimeoutMs).unref()
    stop().then(() => process.exit(0), exitWithError)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tell(true))
  if (endsWithParent) onParentExit(() => tell(false))
  return stopping.signal
}

function exitWithError(reason: unknown): never {
  printError(reason instanceof Error ? reason.message : String(reason))
  process.exit(1)
}

/**
 * @param pagesBuilt resolves when the pages are there, where they are built at the start.
 * @returns the server, and the signal that it has been told to stop.
 */
export async function run(
  env: NodeJS.ProcessEnv,
  pagesBuilt?: Promise<unknown>,
): Promise<{ server: RunningServer; stopping: AbortSignal }> {
  assertCompleteInstall()
  let stopRequested: (() => Promise<void>) | null = null
  for (const { name, meant } of findMisspelledVariables(env))
    printLine(`${name} is set, and means nothing here. Is it ${meant}?`)
  const config = readConfig(env)
  const stopping = handleStopSignals(async () => stopRequested?.(), config.drainSeconds)
  const server = await startServer(config, pagesBuilt)
  stopRequested = server.stop
  const { publicUrl, port, role } = server.deps.config
  if (server.metricsAddress) printLine(`${isProduction ? '' : '\n  '}Metrics are at ${server.metricsAddress}`)
  if (role === 'worker') {
    const works = `Lectern works on jobs; its health is at ${server.address}/readyz`
    printLine(isProduction ? works : `\n  ${works}\n  Mails go ${server.mail}\n  Stop with Ctrl+C.\n`)
    return { server, stopping }
  }
  if (isProduction) printLine(`Lectern is open at ${publicUrl}, mails go ${server.mail}`)
  else
    printLine(`
  Lectern is open at ${publicUrl}
  Mails go ${server.mail}${server.deps.outbox ? ` (read them on this machine at http://localhost:${port}/dev/outbox)` : ''}
  The API is described at ${publicUrl}/api/docs
  Stop with Ctrl+C.
`)
  return { server, stopping }
}

/** What went wrong at the start in a line that says what to do. LOG_LEVEL=debug adds where it went wrong. */
export function reportAndExit(error: unknown, report = printError): never {
  const problem = error instanceof Error ? error : new Error(String(error))
  const text = explainStartError(problem, process.env)
  report(process.env.LOG_LEVEL === 'debug' ? `${text}\n${problem.stack}` : text)
  const isForGood =
    error instanceof ConfigError || error instanceof OtherSchemaError || isWrongSetting(problem, process.env)
  process.exit(isForGood ? ConfigError.exitStatus : 1)
}

if (import.meta.main) run(process.env).catch((error) => reportAndExit(error))
