import { spawnSync } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../../server/config.ts'
import { openStorage } from '../../server/platform/storage/open-storage.ts'
import { waitUntil } from '../../server/testing/services.ts'
import { connectTo, type Environment } from './environment.ts'

/** Everything that the ledger tracks, by its keys. */
const values = `
  SELECT 'note ' || title, concat_ws('|', course_code, academic_year, coalesce(instructor, '-'),
                                     CASE WHEN is_anonymous THEN 'anonymous' ELSE 'by name' END) FROM notes
  UNION ALL SELECT 'file ' || title, encode(sha256, 'hex') FROM notes JOIN documents d ON d.id = document_id
  UNION ALL SELECT 'rating ' || title || ' ' || email, CASE WHEN liked THEN 'like' ELSE 'dislike' END
              FROM ratings r JOIN notes n ON n.id = r.note_id JOIN users u ON u.id = r.user_id
  UNION ALL SELECT 'account ' || email, 'waiting' FROM registrations WHERE user_id IS NULL
  UNION ALL SELECT 'account ' || email, 'verified' FROM users`

const contradictions = `
  SELECT 'The counts of ' || title || ' are not those of its ratings' FROM notes n
   WHERE likes <> (SELECT count(*) FROM ratings WHERE note_id = n.id AND liked)
      OR dislikes <> (SELECT count(*) FROM ratings WHERE note_id = n.id AND NOT liked)
  UNION ALL
  SELECT 'A document without a note: ' || d.id FROM documents d WHERE NOT EXISTS (SELECT FROM notes WHERE document_id = d.id)
  UNION ALL
  SELECT 'A note that no search can find: ' || title FROM notes n
   WHERE NOT EXISTS (SELECT FROM note_search WHERE note_id = n.id)
  UNION ALL
  SELECT 'A user without a password: ' || id FROM users u WHERE NOT EXISTS (SELECT FROM passwords WHERE user_id = u.id)`

/** Files that must exist. */
const requiredKeys = `
  SELECT file_key FROM documents UNION ALL SELECT unnest(ARRAY[small_file_key, large_file_key]) FROM thumbnails`
const knownKeys = `${requiredKeys} UNION ALL SELECT file_key FROM file_deletions
  UNION ALL SELECT file_key FROM exports WHERE file_key IS NOT NULL`

/** Compares the ledger with the database, and the database with the storage. Waits for an unavailable database. */
export async function compare(environment: Environment): Promise<void> {
  await compareOnce(environment).catch(async (error: { code?: string; message: string }) => {
    if (!/^(57P|08|ECONN|EPIPE)/.test(error.code ?? '') && !/terminated|timeout/i.test(error.message)) throw error
    await setTimeout(100)
    await compare(environment)
  })
}

async function compareOnce(environment: Environment): Promise<void> {
  const { ledger, env, problems } = environment
  const files = await openStorage(readConfig(env))
  const listFiles = async () => new Set(await Array.fromAsync(files.list()))
  const versions = ledger.takeVersions()
  await using client = await connectTo(environment)
  const read = async (text: string): Promise<string[][]> => (await client.query({ text, rowMode: 'array' })).rows
  const readColumn = async (text: string) => (await read(text)).map(([value]) => value ?? '')
  // PostgreSQL may still commit what a killed server has sent.
  const [[before = ''] = []] = await read('SELECT clock_timestamp()::text')
  const earlier = `SELECT FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND xact_start < '${before}'`
  await waitUntil('Earlier transactions have ended', async () => (await read(earlier)).length === 0)
  const stored = await listFiles()
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  const snapshot = new Map((await read(values)) as [string, string][])
  const found = await readColumn(contradictions)
  const known = new Set(await readColumn(knownKeys))
  const required = await readColumn(requiredKeys)
  await client.query('COMMIT')
  const [unknown, missing] = [[...stored.difference(known)], required.filter((key) => !stored.has(key))]
  // A file is written after its row and removed before it, so only a difference that remains after the snapshot is an
  // error.
  const storedNow = unknown.length + missing.length > 0 ? await listFiles() : stored
  const requiredNow = new Set(missing.length > 0 ? await readColumn(requiredKeys) : required)
  for (const key of unknown) if (storedNow.has(key)) found.push(`No row knows the file ${key}`)
  for (const key of missing) if (!storedNow.has(key) && requiredNow.has(key)) found.push(`A file is missing: ${key}`)
  for (const problem of [...found, ...ledger.compare(versions, snapshot)]) problems.add(problem)
}

/** Compares everything after the users have stopped: no file may be left over after the sweeps. */
export async function compareAtEnd(environment: Environment): Promise<void> {
  await using client = await connectTo(environment)
  const count = async (text: string) => (await client.query(text)).rowCount ?? 0
  const waiting = `SELECT FROM documents WHERE text_state IN ('none', 'pending') OR thumbnail_state IN ('none', 'pending')`
  await waitUntil('All documents are processed', async () => (await count(waiting)) === 0, 15 * 60_000)
  await client.query('UPDATE file_deletions SET delete_after = now()')
  // The sweep runs every minute; enqueuing one saves the wait.
  await client.query(`INSERT INTO pgboss.job (name, data) VALUES ('sweep-files', '{}')`)
  await waitUntil('Files are swept', async () => (await count('SELECT FROM file_deletions')) === 0)
  await compare(environment)
  // This command compares every file with its hash.
  const admin = fileURLToPath(new URL('../../server/operations/admin.ts', import.meta.url))
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...environment.env }
  const { status, stdout, stderr } = spawnSync(process.execPath, [admin, 'verify'], { env, encoding: 'utf8' })
  if (status !== 0) environment.problems.add(`lectern admin verify: ${stdout}${stderr}`)
}
