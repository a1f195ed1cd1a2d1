import { ConfigError, findMisspelledVariables, readConfig } from './config.ts'
import { explainStartError } from './operations/start/explain-start-error.ts'
import { isProduction, onStopRequest, printError, printLine } from './operations/start/process.ts'
import { type RunningServer, startServer, stopTimeoutMs } from './operations/start/start-server.ts'
import { OtherSchemaError } from './platform/db/migrate.ts'

/**
 * Ends the process in order when it is asked to stop.
 * @returns a signal that aborts before anything is closed.
 */
function handleStopSignals(stop: () => Promise<void>, drainSeconds: number): AbortSignal {
  const stopping = new AbortController()
  onStopRequest(() => {
    printLine('Stopping …')
    stopping.abort()
    setTimeout(() => exitWithError('Shutdown timed out.'), drainSeconds * 1_000 + stopTimeoutMs).unref()
    stop().then(() => process.exit(0), exitWithError)
  })
  return stopping.signal
}

function exitWithError(reason: unknown): never {
  printError(reason instanceof Error ? reason.message : String(reason))
  process.exit(1)
}

/**
 * @param pagesBuilt resolves when the pages are built, if they are built at the start.
 * @returns the server, and a signal that aborts when it is asked to stop.
 */
export async function run(
  env: NodeJS.ProcessEnv,
  pagesBuilt?: Promise<unknown>,
): Promise<{ server: RunningServer; stopping: AbortSignal }> {
  let stopRequested: (() => Promise<void>) | null = null
  for (const { name, meant } of findMisspelledVariables(env))
    printLine(`Unknown variable ${name}. Did you mean ${meant}?`)
  const config = readConfig(env)
  const stopping = handleStopSignals(async () => stopRequested?.(), config.drainSeconds)
  const server = await startServer(config, pagesBuilt)
  stopRequested = server.stop
  const { publicUrl, port, role } = server.deps.config
  if (server.metricsAddress) printLine(`${isProduction ? '' : '\n  '}Metrics: ${server.metricsAddress}`)
  if (role === 'worker') {
    const works = `Worker is running. Health check: ${server.address}/readyz`
    printLine(isProduction ? works : `\n  ${works}\n  Mail: ${server.mail}\n  Press Ctrl+C to stop.\n`)
    return { server, stopping }
  }
  if (isProduction) printLine(`Lectern is running at ${publicUrl}. Mail: ${server.mail}`)
  else
    printLine(`
  Lectern is running at ${publicUrl}
  Mail: ${server.mail}${server.deps.outbox ? ` (view at http://localhost:${port}/dev/outbox)` : ''}
  API docs: ${publicUrl}/api/docs
  Press Ctrl+C to stop.
`)
  return { server, stopping }
}

/** Reports the error of a start with what the operator can do. LOG_LEVEL=debug adds the stack. */
export function reportAndExit(error: unknown, report = printError): never {
  const problem = error instanceof Error ? error : new Error(String(error))
  const { text, isMisconfigured = false } = explainStartError(problem, process.env)
  report(process.env.LOG_LEVEL === 'debug' ? `${text}\n${problem.stack}` : text)
  const isForGood = isMisconfigured || error instanceof ConfigError || error instanceof OtherSchemaError
  process.exit(isForGood ? ConfigError.exitStatus : 1)
}

if (import.meta.main) run(process.env).catch((error) => reportAndExit(error))
