import { expect, it } from 'vitest'
import { queryAt } from '../../testing/database.ts'
import { startReplicated } from '../../testing/replicated.ts'
import { type PrimaryPosition, primaryPositionSql, type ReplicaPosition, replicaPositionSql } from './replica.ts'

it('a replica is known for one of the PostgreSQL that has taken over as soon as it follows it', async () => {
  const { exchange } = await startReplicated()
  const { primaryUrl, replicaUrl } = await exchange()
  await queryAt(primaryUrl, `CREATE ROLE plain LOGIN PASSWORD 'x'`)
  await queryAt(primaryUrl, `CREATE ROLE reader LOGIN PASSWORD 'x' IN ROLE pg_read_all_stats`)
  const [{ history = '', lsn = '' } = {}] = await queryAt<Partial<PrimaryPosition>>(primaryUrl, primaryPositionSql)
  expect(history.split('/')[1]).toBe('00000002')
  const compareAs = (user: string) => {
    const url = Object.assign(new URL(replicaUrl), { username: user, password: 'x' })
    return queryAt<ReplicaPosition>(url.href, replicaPositionSql, [history, lsn]).catch(() => [])
  }
  await expect.poll(() => compareAs('reader')).toEqual([{ isOurs: true, isCaughtUp: true, bytesBehind: 0 }])
  // A role that may not read `pg_stat_wal_receiver` sees the new timeline only after the next checkpoint.
  expect(await compareAs('plain')).toMatchObject([{ isCaughtUp: true }])
})
