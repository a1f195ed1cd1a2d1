import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { ratingKey, type World } from './book.ts'

type NoteRow = {
  title: string
  courseCode: string
  academicYear: string
  instructor: string | null
  isAnonymous: boolean
  key: string
  sha256: string
}

/** As the book has the details of a note. */
export const describeDetails = (note: Pick<NoteRow, 'courseCode' | 'academicYear' | 'instructor' | 'isAnonymous'>) =>
  [note.courseCode, note.academicYear, note.instructor ?? '-', note.isAnonymous ? 'anonymous' : 'by name'].join('|')

/** What must never be so, whatever was asked for: a line for each. */
const contradictions = `
  SELECT 'counts of ' || title || ' are not those of its ratings' FROM notes n
   WHERE likes <> (SELECT count(*) FROM ratings WHERE note_id = n.id AND liked)
      OR dislikes <> (SELECT count(*) FROM ratings WHERE note_id = n.id AND NOT liked)
  UNION ALL
  SELECT 'a document without a note: ' || d.id FROM documents d WHERE NOT EXISTS (SELECT FROM notes WHERE document_id = d.id)
  UNION ALL
  SELECT 'a note that no search can find: ' || title FROM notes n
   WHERE NOT EXISTS (SELECT FROM search_entries WHERE note_id = n.id)
  UNION ALL
  SELECT 'a user without a password: ' || id FROM users u WHERE NOT EXISTS (SELECT FROM passwords WHERE user_id = u.id)`

const knownKeys = `
  SELECT file_key FROM documents UNION ALL SELECT file_key FROM file_removals
  UNION ALL SELECT file_key FROM exports WHERE file_key IS NOT NULL
  UNION ALL SELECT unnest(ARRAY[small_file_key, large_file_key]) FROM thumbnails`

/**
 * Reads all rows in one transaction, and files by their hash.
 * @param wanted whose files are hashed; null: all. Of the others the database's word is taken, and that they are there.
 */
export async function lookAround(databaseUrl: string, files: string, wanted: Set<string> | null): Promise<World> {
  const stored = new Set(await listFiles(files))
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const read = async <T>(text: string) => (await client.query({ text, rowMode: 'array' })).rows as T[]
    const { rows: notes } = await client.query<NoteRow>(`
      SELECT title, course_code AS "courseCode", academic_year AS "academicYear", instructor,
             is_anonymous AS "isAnonymous", file_key AS key, encode(sha256, 'hex') AS sha256
        FROM notes JOIN documents d ON d.id = document_id`)
    const ratings = await read<[string, string, boolean]>(
      'SELECT title, email, liked FROM ratings r JOIN notes n ON n.id = note_id JOIN users u ON u.id = r.user_id',
    )
    const viewed = await read<[string, string[]]>(
      `SELECT email, array_agg(title ORDER BY position) FROM recently_viewed v
         JOIN notes n ON n.id = note_id JOIN users u ON u.id = v.user_id GROUP BY email`,
    )
    const accounts = await read<[string, string]>(
      `SELECT email, 'waiting' FROM registrations WHERE user_id IS NULL UNION ALL SELECT email, 'verified' FROM users`,
    )
    const half = (await read<[string]>(contradictions)).map(([text]) => text)
    const pictures = await read<[string]>('SELECT unnest(ARRAY[small_file_key, large_file_key]) FROM thumbnails')
    const known = new Set((await read<[string]>(knownKeys)).map(([key]) => key))
    await client.query('COMMIT')

    const world: World = {
      notes: new Map(notes.map((note) => [note.title, { details: describeDetails(note), sha256: note.sha256 }])),
      ratings: new Map(ratings.map(([title, email, liked]) => [ratingKey(title, email), liked ? 'like' : 'dislike'])),
      viewed: new Map(viewed),
      accounts: new Map(accounts),
      half,
      orphans: [],
    }
    // What is listed and unknown may just have been removed: the file first, and what knows of it after that.
    for (const key of stored.difference(known)) if ((await hashOf(files, key)) !== null) world.orphans.push(key)
    const isGone = (key: string) => isGoneSince(client, key)
    for (const note of notes) {
      const isWanted = wanted === null || wanted.has(note.title)
      const problem = isWanted || !stored.has(note.key) ? await compareFile(files, note) : null
      if (problem && !(await isGone(note.key))) half.push(`the file of ${note.title} ${problem}`)
    }
    for (const [key] of pictures) {
      if (stored.has(key) || (await hashOf(files, key)) !== null) continue
      if (!(await isGone(key))) half.push(`a picture without its file: ${key}`)
    }
    return world
  } finally {
    await client.end().catch(() => {})
  }
}

/** It may have been deleted, and removed, since the rows were read. */
async function isGoneSince(client: pg.Client, key: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'SELECT FROM documents WHERE file_key = $1 UNION ALL SELECT FROM thumbnails WHERE $1 IN (small_file_key, large_file_key)',
    [key],
  )
  return rowCount === 0
}

async function compareFile(files: string, { key, sha256 }: NoteRow): Promise<string | null> {
  const found = await hashOf(files, key)
  if (found === null) return 'is missing'
  return found === sha256 ? null : 'is not what it was'
}

async function hashOf(files: string, key: string): Promise<string | null> {
  const bytes = await readFile(join(files, key.slice(0, 2), key)).catch(() => null)
  return bytes && createHash('sha256').update(bytes).digest('hex')
}

/** Names of whole files. A server that starts has made the folder. */
async function listFiles(files: string): Promise<string[]> {
  const shelves = (await readdir(files).catch(() => [])).filter((name) => /^[0-9a-f]{2}$/.test(name))
  return (await Promise.all(shelves.map((shelf) => readdir(join(files, shelf))))).flat()
}

/** What a server writes to see whether it can, and what time it is there. */
const probes = /^(probe$|clock-)/

/** What is left over that no list of the database would have: files by halves, folders of uploads that died. */
export async function listLeftovers(dataDir: string): Promise<string[]> {
  const named = async (folder: string) =>
    (await readdir(join(dataDir, folder)).catch(() => []))
      .filter((name) => !probes.test(name))
      .map((name) => `${folder}/${name}`)
  return (await Promise.all(['files/incoming', 'spool'].map(named))).flat()
}
