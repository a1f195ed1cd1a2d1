import { AsyncResource } from 'node:async_hooks'
import { createReadStream } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import PQueue from 'p-queue'
import type { ClamavConfig } from '../../../config.ts'
import { rejectOnAbort } from '../../../platform/db/waiting.ts'
import { fail } from '../../../platform/http/api-error.ts'
import type { Log } from '../../../platform/observability/log.ts'
import type { Telemetry } from '../../../platform/observability/telemetry.ts'
import { ClamdUnavailableError, getClamdVersion, type ScanResult, scanWithClamd } from './clamd.ts'

export type Scanner = {
  /**
   * Scans a file on the local disk. While clamd is unavailable it waits or refuses, depending on the configuration.
   * @throws scanner_away, the signal's reason
   */
  scan(path: string, signal: AbortSignal): Promise<ScanResult['kind']>
  /** Rejects if clamd is unavailable. */
  check(): Promise<void>
}

export type ScannerOptions = ClamavConfig & {
  log: Pick<Log, 'warn'>
  telemetry: Telemetry
  maxWaitMs?: number
}

/** Half of the response timeout of the web servers in `deploy/`. */
const defaultMaxWaitMs = 5 * 60_000
const retryMs = 2_000
const retryAfterSeconds = 30
/** Clamd's default number of parallel scans: further files would wait inside clamd, invisible to this server. */
const maxAtOnce = 10

export function createScanner({
  address,
  whenUnavailable,
  log,
  telemetry: { metrics, measure },
  maxWaitMs = defaultMaxWaitMs,
}: ScannerOptions): Scanner {
  const queue = new PQueue({ concurrency: maxAtOnce })
  for (const outcome of ['clean', 'infected', 'unscannable', 'failed']) metrics.virusScans.inc({ outcome }, 0)

  const scanOnce = (path: string, signal: AbortSignal): Promise<ScanResult> =>
    measure(
      { counter: metrics.virusScans, name: 'virus scan', labels: {} },
      () => scanWithClamd(address, read(path), signal),
      ({ kind }) => kind,
    )

  /** The log contains neither the file nor its author, so that it links no user to a note. */
  function logResult(verdict: ScanResult): void {
    if (verdict.kind === 'infected') log.warn({ signature: verdict.signature }, 'Found a virus in an upload')
    if (verdict.kind === 'unscannable') {
      log.warn(
        { why: verdict.why },
        'An upload couldn’t be fully scanned. Raise StreamMaxLength, MaxFileSize and MaxScanSize in clamd.conf, or lower MAX_FILE_MB',
      )
    }
  }

  return {
    async scan(path, signal) {
      const startedAt = performance.now()
      const aborted = rejectOnAbort(signal)
      for (;;) {
        try {
          // The task is bound, because p-queue starts it in the asynchronous context of the previous task.
          const scanned = queue.add(AsyncResource.bind(() => scanOnce(path, signal)))
          const verdict = await Promise.race([scanned, aborted])
          logResult(verdict)
          return verdict.kind
        } catch (cause) {
          if (!(cause instanceof ClamdUnavailableError)) throw cause
          const isOver = performance.now() - startedAt >= maxWaitMs
          if (whenUnavailable === 'refuse' || isOver) fail('scanner_away', { retryAfterSeconds, cause })
          log.warn(`An upload is waiting: ${cause.message}`)
          await Promise.race([setTimeout(retryMs), aborted])
        }
      }
    },
    check: async () => void (await getClamdVersion(address)),
  }
}

/** The file is opened at the first read, because it may be deleted before the scan starts. */
async function* read(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path)
}
