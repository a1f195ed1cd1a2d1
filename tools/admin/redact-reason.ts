import type { WriteStream } from 'node:tty'
import type { Db } from '../../server/db/pool.ts'
import { redactDecision } from '../../server/moderation/moderation.ts'

/** Where the reason of a decision names somebody. @returns false, having changed nothing, where there is no such decision. */
export async function redactReason(db: Db, number: string, out: Pick<WriteStream, 'write'>): Promise<boolean> {
  const isNumber = /^\d{1,15}$/.test(number)
  const isDone = isNumber && (await redactDecision(db, Number(number)))
  out.write(
    isDone
      ? `  The reason of decision ${number} is gone. The decision stays in the log.\n`
      : `  Nothing was changed: there is no decision ${number}.\n`,
  )
  return isDone
}
