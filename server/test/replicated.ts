import { execFile } from 'node:child_process'
import { appendFile, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll } from 'vitest'
import { migrate } from '../db/migrate.ts'
import { startEmbeddedDatabase } from '../postgres/embedded.ts'
import { makeDataFolder, removeDataFolder } from './data-folder.ts'
import { quietLog } from './log.ts'

const start = (dataDir: string) =>
  startEmbeddedDatabase({ dataDir, password: 'test', log: quietLog, fsync: false, maxConnections: 100 })

/** Two PostgreSQLs, one of which replays what the other one writes: a copy of its files, made while it stood still. */
export async function startReplicated(): Promise<{ primaryUrl: string; replicaUrl: string }> {
  const [ofPrimary, ofReplica] = [await makeDataFolder(), await makeDataFolder()]
  const first = await start(ofPrimary)
  await migrate(first.url, quietLog)
  await first.stop()
  const copied = join(ofReplica, 'postgres')
  await promisify(execFile)('cp', ['-a', await realpath(join(ofPrimary, 'postgres')), copied])

  const primary = await start(ofPrimary)
  const { hostname, port, username, password } = new URL(primary.url)
  const follow = `host=${hostname} port=${port} user=${username} password=${password}`
  await appendFile(join(copied, 'postgresql.auto.conf'), `primary_conninfo = '${follow}'\n`)
  await writeFile(join(copied, 'standby.signal'), '')
  const replica = await start(ofReplica)
  afterAll(async () => {
    await replica.stop()
    await primary.stop()
    await removeDataFolder(ofReplica)
    await removeDataFolder(ofPrimary)
  })
  return { primaryUrl: primary.url, replicaUrl: replica.url }
}
