import pg from 'pg'
import {
  type PrimaryPosition,
  primaryPositionSql,
  type ReplicaPosition,
  replicaPositionSql,
} from '../../../platform/db/replication-position.ts'
import { describeError } from '../../../platform/observability/log.ts'
import { type Finding, failure, ok, warning } from './finding.ts'

/** A replica that is fewer bytes behind catches up during the check. */
const muchBehind = 2 ** 20

/** Users do not notice a wrong replica, because the primary answers, so it needs a check. */
export async function checkReplica(url: string, replicaUrl: string): Promise<Finding[]> {
  const written = await ask<PrimaryPosition>(url, primaryPositionSql, []).catch((error: Error) => error)
  if (written instanceof Error)
    return [failure(`Couldn’t read the WAL position of the database: ${describeError(written)}`)]
  const replayed = await ask<ReplicaPosition>(replicaUrl, replicaPositionSql, [written.history, written.lsn]).catch(
    (error: Error) => error,
  )
  if (replayed instanceof Error) return [failure(`The replica isn’t responding: ${describeError(replayed)}`)]
  const { isOurs, bytesBehind } = replayed
  if (!isOurs) {
    return [
      failure(
        'DATABASE_REPLICA_URL isn’t a replica of DATABASE_URL, or hasn’t reached a checkpoint since a failover. Lists are read from the primary',
      ),
    ]
  }
  if (bytesBehind === null || bytesBehind > muchBehind) {
    return [
      warning(`The replica is ${bytesBehind} bytes behind: lists are read from the primary until it has caught up`),
    ]
  }
  return [ok('The replica is up to date')]
}

async function ask<T>(connectionString: string, text: string, values: string[]): Promise<T> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000, application_name: 'lectern-doctor' })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query(text, values)
    return rows[0]
  } finally {
    await client.end().catch(() => {})
  }
}
