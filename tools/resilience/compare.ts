import { execFile } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { readConfig } from '../../server/config.ts'
import { openFiles } from '../../server/files/open-files.ts'
import { waitUntil } from '../services.ts'
import { type Environment, withDatabase } from './environment.ts'
import type { Findings, Snapshot } from './ledger.ts'

/** Everything that the ledger knows, by its keys. */
const values = `
  SELECT 'note ' || title, concat_ws('|', course_code, academic_year, coalesce(instructor, '-'),
                                     CASE WHEN is_anonymous THEN 'anonymous' ELSE 'by name' END) FROM notes
  UNION ALL SELECT 'file ' || title, encode(sha256, 'hex') FROM notes JOIN documents d ON d.id = document_id
  UNION ALL SELECT 'rating ' || title || ' ' || email, CASE WHEN liked THEN 'like' ELSE 'dislike' END
              FROM ratings r JOIN notes n ON n.id = note_id JOIN users u ON u.id = r.user_id
  UNION ALL SELECT 'account ' || email, 'waiting' FROM registrations WHERE user_id IS NULL
  UNION ALL SELECT 'account ' || email, 'verified' FROM users`

const inconsistencies = `
  SELECT 'the counts of ' || title || ' are not those of its ratings' FROM notes n
   WHERE likes <> (SELECT count(*) FROM ratings WHERE note_id = n.id AND liked)
      OR dislikes <> (SELECT count(*) FROM ratings WHERE note_id = n.id AND NOT liked)
  UNION ALL
  SELECT 'a document without a note: ' || d.id FROM documents d WHERE NOT EXISTS (SELECT FROM notes WHERE document_id = d.id)
  UNION ALL
  SELECT 'a note that no search can find: ' || title FROM notes n
   WHERE NOT EXISTS (SELECT FROM search_entries WHERE note_id = n.id)
  UNION ALL
  SELECT 'a user without a password: ' || id FROM users u WHERE NOT EXISTS (SELECT FROM passwords WHERE user_id = u.id)`

/** Files that must exist. */
const requiredKeys = `
  SELECT file_key FROM documents UNION ALL SELECT unnest(ARRAY[small_file_key, large_file_key]) FROM thumbnails`
const knownKeys = `${requiredKeys} UNION ALL SELECT file_key FROM file_removals
  UNION ALL SELECT file_key FROM exports WHERE file_key IS NOT NULL`

export const openFindings = (): Findings => ({ lost: [], inconsistent: [], orphans: [] })

/** Compares the ledger with the database, and the database with the storage. Waits for a database that is unavailable. */
export async function compare(environment: Environment, findings: Findings): Promise<void> {
  const { ledger, env } = environment
  const files = await openFiles(readConfig(env))
  const listFiles = async () => new Set(await Array.fromAsync(files.list()))
  for (;;) {
    const versions = ledger.takeVersions()
    try {
      await withDatabase(environment, async (client) => {
        const read = async (text: string): Promise<string[][]> => (await client.query({ text, rowMode: 'array' })).rows
        const readColumn = async (text: string) => (await read(text)).map(([value]) => value ?? '')
        const stored = await listFiles()
        await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
        const snapshot: Snapshot = new Map((await read(values)) as [string, string][])
        findings.inconsistent.push(...(await readColumn(inconsistencies)))
        const known = new Set(await readColumn(knownKeys))
        const required = await readColumn(requiredKeys)
        await client.query('COMMIT')
        const [unknown, missing] = [[...stored.difference(known)], required.filter((key) => !stored.has(key))]
        // A file is written after its row and removed before it, so only what is still so after the snapshot is wrong.
        const storedNow = unknown.length + missing.length > 0 ? await listFiles() : stored
        const requiredNow = new Set(missing.length > 0 ? await readColumn(requiredKeys) : required)
        findings.orphans.push(...unknown.filter((key) => storedNow.has(key)))
        const gone = missing.filter((key) => !storedNow.has(key) && requiredNow.has(key))
        findings.inconsistent.push(...gone.map((key) => `a file is missing: ${key}`))
        const { lost, inconsistent } = ledger.compare(versions, snapshot)
        findings.lost.push(...lost)
        findings.inconsistent.push(...inconsistent)
      })
      return
    } catch (error) {
      if (!isUnavailable(error)) throw error
      await setTimeout(100)
    }
  }
}

function isUnavailable(error: unknown): boolean {
  const { code = '', message } = error as { code?: string; message: string }
  return /^(57P|08|ECONN|EPIPE)/.test(code) || /terminated|timeout/i.test(message)
}

/** Runs `lectern admin verify`, which compares every file with its hash, until the database is available. */
export async function verify({ env }: Environment, findings: Findings): Promise<void> {
  const admin = fileURLToPath(new URL('../admin.ts', import.meta.url))
  const options = { env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env }, maxBuffer: 2 ** 24 }
  for (;;) {
    const { code, stdout, stderr } = await promisify(execFile)(process.execPath, [admin, 'verify'], options).then(
      (output) => ({ ...output, code: 0 }),
      (error) => error,
    )
    if (stdout.includes('files compared')) {
      if (code !== 0) findings.inconsistent.push(`lectern admin verify: ${stdout}${stderr}`)
      return
    }
    await setTimeout(1_000)
  }
}

/** Compares everything after the users have stopped: no file may be left over once the sweeps have run. */
export async function compareAtEnd(environment: Environment, findings: Findings): Promise<void> {
  await withDatabase(environment, async (client) => {
    const count = async (text: string) => (await client.query(text)).rowCount ?? 0
    const waiting = `SELECT FROM documents WHERE text_state IN ('none', 'waiting') OR picture_state IN ('none', 'waiting')`
    await waitUntil('All documents are processed', async () => (await count(waiting)) === 0, 15 * 60_000)
    await client.query('UPDATE file_removals SET due_at = now()')
    // The sweep runs every minute; a job of its own saves the wait.
    await client.query(`INSERT INTO pgboss.job (name, data) VALUES ('sweep-files', '{}')`)
    await waitUntil('Files are swept', async () => (await count('SELECT FROM file_removals')) === 0)
  })
  await compare(environment, findings)
  await verify(environment, findings)
}
