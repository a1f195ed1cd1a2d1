import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import pg from 'pg'
import type { Config } from '../../../config.ts'
import { describeError } from '../../../platform/observability/log.ts'
import { openStorage } from '../../../platform/storage/open-storage.ts'
import { type FileStorage, newFileKey } from '../../../platform/storage/storage.ts'
import { compareClocks, type Finding, failure, ok, warning } from './finding.ts'

/** @param databaseUrl null when no database can tell which storage is its own. */
export async function checkStorage(config: Config, databaseUrl: string | null): Promise<Finding[]> {
  // A storage that was never used is not created here.
  if (!config.s3 && !existsSync(join(config.dataDir, 'files'))) return []
  const name = config.s3 ? `the bucket ${config.s3.bucket}` : join(config.dataDir, 'files')
  let files: FileStorage
  try {
    files = await openStorage(config)
    await tryOut(files)
  } catch (error) {
    return [failure(`Can’t store files in ${name}: ${describeError(error)}`)]
  }
  const found = [ok(`Wrote, read and deleted a test file in ${name}`)]
  if (databaseUrl) found.push(...(await checkMarker(files, databaseUrl, name)))
  if (config.s3) found.push(...(await checkClock(config.s3.endpoint)))
  return found
}

/** Writes, reads and deletes a file in the same way as an upload. */
async function tryOut(files: FileStorage): Promise<void> {
  const [key, content] = [newFileKey(), randomBytes(1024)]
  const path = join(tmpdir(), `lectern-doctor-${key}`)
  const sha256 = createHash('sha256').update(content).digest()
  try {
    await files.check()
    await writeFile(path, content, { mode: 0o600 })
    await files.put(key, { path, bytes: content.length, sha256 })
    const stored = await files.get(key)
    if (!stored || !(await buffer(stored)).equals(content))
      throw new Error('The file read differs from the file written')
  } finally {
    await files.delete(key).catch(() => {})
    await rm(path, { force: true })
  }
}

async function checkMarker(files: FileStorage, databaseUrl: string, name: string): Promise<Finding[]> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows: there } = await client.query(`SELECT to_regclass('public.storage_identity') IS NOT NULL AS "isThere"`)
    if (!there[0]?.isThere) return []
    const { rows } = await client.query<{ marker: string }>('SELECT marker FROM storage_identity')
    const [databaseMarker, storageMarker] = [rows[0]?.marker, await files.readMarker()]
    if (databaseMarker === undefined) return []
    if (databaseMarker === storageMarker) return [ok('The storage belongs to this database')]
    return [
      failure(
        `${name} belongs to another database, or is empty. Restore DATA_DIR or S3_BUCKET, or mount the missing disk. If the files really are here, run: lectern admin storage adopt`,
      ),
    ]
  } catch {
    // The database check already reports this error.
    return []
  } finally {
    await client.end().catch(() => {})
  }
}

async function checkClock(endpoint: string): Promise<Finding[]> {
  const askedAt = Date.now()
  try {
    const answer = await fetch(endpoint, { method: 'HEAD', signal: AbortSignal.timeout(5_000) })
    const date = answer.headers.get('date')
    return date ? [compareClocks('the file storage', new Date(date), askedAt, Date.now())] : []
  } catch (error) {
    return [warning(`Couldn’t read the clock of the file storage: ${describeError(error)}`)]
  }
}
