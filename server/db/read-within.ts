import { hasCode } from '../error-code.ts'
import { fail } from '../failure.ts'
import { createLine } from '../line.ts'
import { applySettings, type Settings } from './planning.ts'
import type { Db, Tx } from './pool.ts'

const canceled = '57014'
/** In line for each that runs. The quick ones, which most are, pass a line of this length in a moment. */
const waitingForEach = 16
const retryAfterSeconds = 5

/** The time of a read, from when its turn came. */
export type ReadTime = {
  spentMs: () => number
  /** Statements from here on have what is left of the limit, not all of it. @throws busy when nothing is left. */
  limitToRest: (settings?: Settings) => Promise<void>
}

/**
 * For reads that may have to look at much: PostgreSQL ends a statement that takes longer than the limit. Who runs several
 * asks for the rest before each that may be slow.
 * @throws busy then, and when too many wait.
 */
export type ReadWithin = <T>(
  limitMs: number,
  read: (tx: Tx, time: ReadTime) => Promise<T>,
  settings?: Settings,
) => Promise<T>

/**
 * A third of the pool is for such reads: however many are asked for, the rest of it is everybody else's. The limit is
 * set for the transaction alone, since poolers between us and PostgreSQL give one connection to many.
 * @param db without prepared statements: what may have to look at much is planned for what is sought.
 */
export function createReadWithin(db: Db, poolSize: number): ReadWithin {
  const atOnce = Math.max(1, Math.floor(poolSize / 3))
  const inLine = createLine(atOnce, atOnce * waitingForEach)

  return async (limitMs, read, settings) => {
    try {
      return await inLine(() =>
        db
          .transaction()
          .setAccessMode('read only')
          .execute(async (tx) => {
            const start = performance.now()
            const spentMs = () => performance.now() - start
            await applySettings(tx, { ...limitedTo(limitMs), ...settings })
            return read(tx, {
              spentMs,
              async limitToRest(settings) {
                const restMs = Math.ceil(limitMs - spentMs())
                if (restMs <= 0) fail('busy', { retryAfterSeconds })
                await applySettings(tx, { ...limitedTo(restMs), ...settings })
              },
            })
          }),
      )
    } catch (cause) {
      if (hasCode(cause, canceled)) fail('busy', { retryAfterSeconds, cause })
      throw cause
    }
  }
}

const limitedTo = (ms: number): Settings => ({ statement_timeout: String(ms) })
