import { execFile } from 'node:child_process'
import { appendFile, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { connect } from '../platform/db/client.ts'
import { migrate } from '../platform/db/migrate.ts'
import { startEmbeddedDatabase } from '../platform/embedded-postgres/embedded.ts'
import { makeDataFolder, onTestEnd, removeDataFolder } from './data-folder.ts'
import { queryAt } from './database.ts'
import { quietLog } from './log.ts'

const start = (dataDir: string) =>
  startEmbeddedDatabase({ dataDir, password: 'test', log: quietLog, fsync: false, maxConnections: 100 })

/**
 * Starts two PostgreSQL servers, one of which replicates the other from a copy of its files that was made while it was
 * stopped.
 */
export async function startReplicated() {
  const [ofPrimary, ofReplica] = [await makeDataFolder(), await makeDataFolder()]
  const first = await start(ofPrimary)
  await migrate(first.url, quietLog)
  await first.stop()
  const copied = join(ofReplica, 'postgres')
  await promisify(execFile)('cp', ['-a', await realpath(join(ofPrimary, 'postgres')), copied])
  let primary = await start(ofPrimary)
  await follow(copied, primary.url)
  const replica = await start(ofReplica)
  onTestEnd(async () => {
    await replica.stop()
    await primary.stop()
    await removeDataFolder(ofReplica)
    await removeDataFolder(ofPrimary)
  })
  return {
    primaryUrl: primary.url,
    replicaUrl: replica.url,
    /** Promotes the replica and makes the other server follow it. @returns their new URLs. */
    async exchange() {
      // The last record must arrive, or the old primary could not follow the new one.
      await untilStreaming(primary.url)
      await primary.stop()
      await queryAt(replica.url, 'SELECT pg_promote()')
      await follow(await realpath(join(ofPrimary, 'postgres')), replica.url)
      primary = await start(ofPrimary)
      return { primaryUrl: replica.url, replicaUrl: primary.url }
    },
  }
}

async function untilStreaming(primaryUrl: string): Promise<void> {
  await using client = await connect({ connectionString: primaryUrl })
  const countStreams = async () =>
    (await client.query(`SELECT FROM pg_stat_replication WHERE state = 'streaming'`)).rowCount
  await expect.poll(countStreams).toBe(1)
}

/** Configures the files of a stopped PostgreSQL as a replica. */
async function follow(files: string, primaryUrl: string): Promise<void> {
  const { hostname, port, username, password } = new URL(primaryUrl)
  const way = `host=${hostname} port=${port} user=${username} password=${password}`
  await appendFile(join(files, 'postgresql.auto.conf'), `primary_conninfo = '${way}'\n`)
  await writeFile(join(files, 'standby.signal'), '')
}
