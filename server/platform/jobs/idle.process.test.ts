import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startServerProcess } from '../../testing/server-process.ts'

const seconds = 30

// Each statement is its own transaction here. PostgreSQL counts it up to a second later.
it('an idle server runs less than one statement a second (G11)', { timeout: 180_000 }, async () => {
  const server = await startServerProcess()
  const client = await server.connectToDatabase()
  const count = async () => {
    const { rows } = await client.query(
      'SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = current_database()',
    )
    return Number(rows[0].count)
  }
  // The jobs that run at start have ended.
  await setTimeout(10_000)
  const before = await count()
  await setTimeout(seconds * 1000)
  expect((await count()) - before).toBeLessThan(seconds)
  await client.end()
  await server.stop()
})
