import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/pool.ts'

/** Reads the facts of the last 24 hours, and those of the last backup. */
export async function readFacts(db: Db) {
  const { rows } = await sql<{
    refusedAddresses: number
    failedJobs: string[]
    backupFailure: string | null
    backupAgeDays: number | null
  }>`
    SELECT (SELECT count(*) FROM mail_suppressions WHERE refused_at > now() - interval '1 day') AS "refusedAddresses",
           ARRAY(SELECT DISTINCT name FROM pgboss.job
                  WHERE state = 'failed' AND completed_on > now() - interval '1 day'
                    -- Schedules run again anyway, and refused addresses are counted.
                    AND retry_limit > 0 AND name NOT LIKE '%-mail' ORDER BY name) AS "failedJobs",
           (SELECT failure FROM backup_result) AS "backupFailure",
           (SELECT extract(epoch FROM now() - succeeded_at)::float8 / 86400 FROM backup_result) AS "backupAgeDays"`.execute(
    db,
  )
  return rows[0] ?? { refusedAddresses: 0, failedJobs: [], backupFailure: null, backupAgeDays: null }
}

/** @param failure null when the backup succeeded. */
export async function saveBackupResult(db: Db, failure: string | null): Promise<void> {
  const succeededAt = failure === null ? sql<Date>`now()` : sql<null>`NULL`
  await sql`
    INSERT INTO backup_result (failure, succeeded_at) VALUES (${failure}, ${succeededAt})
    ON CONFLICT (singleton) DO UPDATE
       SET failure = excluded.failure, succeeded_at = coalesce(excluded.succeeded_at, backup_result.succeeded_at)`.execute(
    db,
  )
}

export type Problem = { kind: string; text: string }

export const listProblems = (db: Db) =>
  db.selectFrom('problems').select(['kind', 'text', 'since']).where('ended_at', 'is', null).orderBy('since').execute()

/**
 * Records new problems and ends those that were not found again.
 * @returns what to email: each problem once a day, and its end.
 */
export async function updateProblems(tx: Tx, current: Problem[]): Promise<(Problem & { isResolved: boolean })[]> {
  // Several servers check at the same time, and only one of them sends the emails.
  await sql`LOCK TABLE problems IN SHARE ROW EXCLUSIVE MODE`.execute(tx)
  const kinds = current.map(({ kind }) => kind)
  const { rows: over } = await sql<Problem & { wasTold: boolean }>`
    UPDATE problems SET ended_at = now() WHERE ended_at IS NULL AND kind <> ALL(${kinds}::text[])
    RETURNING kind, text, mailed_at >= since AS "wasTold"`.execute(tx)
  await sql`
    INSERT INTO problems (kind, text)
    SELECT * FROM unnest(${kinds}::text[], ${current.map(({ text }) => text)}::text[])
    ON CONFLICT (kind) DO UPDATE
       SET text = excluded.text, ended_at = NULL,
           since = CASE WHEN problems.ended_at IS NULL THEN problems.since ELSE now() END`.execute(tx)
  const { rows: due } = await sql<Problem>`
    UPDATE problems SET mailed_at = now()
     WHERE ended_at IS NULL AND (mailed_at IS NULL OR mailed_at <= now() - interval '1 day')
    RETURNING kind, text`.execute(tx)
  return [
    ...due.map(({ kind, text }) => ({ kind, text, isResolved: false })),
    ...over.filter(({ wasTold }) => wasTold).map(({ kind, text }) => ({ kind, text, isResolved: true })),
  ]
}

export const listAdmins = (tx: Tx) =>
  tx.selectFrom('users').select(['id', 'email']).where('role', '=', 'admin').execute()
