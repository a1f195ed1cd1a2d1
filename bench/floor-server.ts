import { randomBytes, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import multipart from '@fastify/multipart'
import { verify } from '@node-rs/argon2'
import Fastify from 'fastify'
import pg from 'pg'
import { foldCourseCode } from '../contract/course-code.ts'
import { likedNotesDisplayLimit, pageSize } from '../contract/limits.ts'
import { soughtWords } from '../server/words/fold.ts'

/**
 * What the work costs at the least: Fastify with `pg`, SQL written by hand for each route and prepared under a name, and
 * no checks at all: nobody is asked who they are, whatever comes is taken, and rows are answered as they are.
 */
const env = (name: string): string => process.env[name] ?? ''
const [heavyId, writerId, noteId] = ['HEAVY', 'WRITER', 'NOTE'].map((name) => env(`BENCH_${name}`))
const folder = env('BENCH_FILES')

const pool = new pg.Pool({
  connectionString: env('DATABASE_URL'),
  max: 10,
  options: '-c max_parallel_workers_per_gather=0',
})
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const names = new Map<string, string>()
/** A statement's name goes with its text. */
function run(text: string, values: unknown[] = [], on: pg.Pool | pg.PoolClient = pool) {
  const name = names.get(text) ?? `floor_${names.size}`
  names.set(text, name)
  return on.query({ name, text, values })
}
/** For searches, whose plan depends on what is sought. */
const runUnnamed = (text: string, values: unknown[]) => pool.query(text, values)

/** As lists know them, or no index would have them. */
const notes = '(SELECT * FROM notes WHERE hidden_at IS NULL) n'
const newest = 'ORDER BY n.created_at DESC, n.id DESC'
const mostLiked = 'ORDER BY n.likes DESC, n.id DESC'
const noteColumns = `
  n.id AS "_id", n.title, n.course_code AS "courseCode", n.academic_year AS "academicYear", n.instructor,
  n.is_anonymous AS "isAnonymous", n.created_at AS "createdAt", n.likes, n.dislikes, u.id AS "userId", u.name AS "userName",
  d.bytes, d.page_count AS "pageCount", d.text_state AS "textState", d.picture_state AS "pictureState", t.key AS thumbnail`
const joined = `
  JOIN documents d ON d.id = n.document_id LEFT JOIN thumbnails t ON t.document_id = n.document_id
  LEFT JOIN users u ON u.id = n.user_id AND NOT n.is_anonymous`
const notesOf = (from: string, order: string, limit = pageSize + 1) =>
  `SELECT ${noteColumns} FROM (SELECT n.* FROM ${from} ${order} LIMIT ${limit}) n ${joined} ${order}`
const page = ({ rows }: pg.QueryResult) => ({ notes: rows.slice(0, pageSize), hasMore: rows.length > pageSize })

const app = Fastify({ bodyLimit: 64 * 2 ** 20 })
await app.register(multipart, { limits: { fileSize: 64 * 2 ** 20 } })
await mkdir(folder, { recursive: true })

type Query = {
  title: string
  courseCode: string
  academicYear: string
  instructor: string
  cursorId: string
  cursorValue: string
}
function get(path: string, answer: (query: Query) => Promise<unknown>): void {
  app.get(path, (request) => answer(request.query as Query))
}
const wordsOf = (text: string) =>
  soughtWords(text)
    .map((word) => `'${word}':*`)
    .join(' & ')

get('/ready', async () => ({ ready: true }))
get('/newest', async () => page(await run(notesOf(notes, newest))))
get('/most-liked', async () => page(await run(notesOf(notes, mostLiked))))
get('/after', async ({ cursorValue, cursorId }) =>
  page(
    await run(notesOf(`${notes} WHERE (n.created_at, n.id) < ($1::timestamptz, $2::uuid)`, newest), [
      cursorValue,
      cursorId,
    ]),
  ),
)
get('/title', async ({ title }) =>
  page(await runUnnamed(notesOf(`${notes} WHERE n.title_words @@ $1::tsquery`, newest), [wordsOf(title)])),
)
get('/course-year', async ({ courseCode, academicYear }) =>
  page(
    await run(notesOf(`${notes} WHERE n.course_key = $1 AND n.academic_year = $2`, newest), [
      foldCourseCode(courseCode),
      academicYear,
    ]),
  ),
)
get('/title-course', async ({ title, courseCode }) =>
  page(
    await runUnnamed(notesOf(`${notes} WHERE n.title_words @@ $1::tsquery AND n.course_key LIKE $2`, newest), [
      wordsOf(title),
      `${foldCourseCode(courseCode)}%`,
    ]),
  ),
)
get('/all-four', async ({ title, courseCode, academicYear, instructor }) =>
  page(
    await runUnnamed(
      notesOf(
        `${notes} WHERE n.title_words @@ $1::tsquery AND n.course_key = $2 AND n.academic_year = $3
          AND n.instructor_words @@ $4::tsquery`,
        newest,
      ),
      [wordsOf(title), foldCourseCode(courseCode), academicYear, wordsOf(instructor)],
    ),
  ),
)

const likedBy = 'ratings r JOIN notes n ON n.id = r.note_id WHERE r.user_id = $1 AND r.liked'
get('/liked', async () => page(await run(notesOf(likedBy, newest), [heavyId])))
get('/liked-by-likes', async () => page(await run(notesOf(likedBy, mostLiked), [heavyId])))

app.get('/me/:id', (request) => readUser((request.params as { id: string }).id))
async function readUser(id: string) {
  const [user, ratings, liked, viewed] = await Promise.all([
    run('SELECT id AS "_id", name, email FROM users WHERE id = $1', [id]),
    run('SELECT note_id, liked FROM ratings WHERE user_id = $1 ORDER BY created_at DESC, note_id DESC', [id]),
    run(
      `SELECT ${noteColumns} FROM (SELECT note_id, created_at FROM ratings WHERE user_id = $1 AND liked
         ORDER BY created_at DESC, note_id DESC LIMIT ${likedNotesDisplayLimit}) r JOIN notes n ON n.id = r.note_id ${joined}
        ORDER BY r.created_at DESC, n.id DESC`,
      [id],
    ),
    run(
      `SELECT ${noteColumns} FROM recently_viewed v JOIN notes n ON n.id = v.note_id ${joined}
        WHERE v.user_id = $1 ORDER BY v.position`,
      [id],
    ),
  ])
  const ids = (given: boolean) => ratings.rows.filter((row) => row.liked === given).map((row) => row.note_id)
  const lists = { likedNotes: ids(true), dislikedNotes: ids(false) }
  return { user: { ...user.rows[0], ...lists, likedNotesDisplay: liked.rows, recentlyViewedNotes: viewed.rows } }
}

app.patch('/notes/:id/rating', async (request) => {
  const { id } = request.params as { id: string }
  const { likes } = request.body as { likes: '+' | '-' }
  const given =
    'WITH given AS (INSERT INTO ratings (user_id, note_id, liked) VALUES ($1, $2, true) ON CONFLICT DO NOTHING RETURNING 1)'
  const gone = 'WITH given AS (DELETE FROM ratings WHERE user_id = $1 AND note_id = $2 RETURNING -1)'
  const counted = `
    UPDATE notes SET likes = likes + coalesce((SELECT * FROM given AS given (by)), 0) WHERE id = $2 RETURNING likes, dislikes`
  return (await run(`${likes === '+' ? given : gone} ${counted}`, [writerId, id])).rows[0]
})

app.post('/login', async (request) => {
  const { email, password } = request.body as { email: string; password: string }
  const login = await run(
    'SELECT u.id, p.password_hash FROM users u JOIN passwords p ON p.user_id = u.id WHERE u.email = $1',
    [email],
  )
  const { id, password_hash } = login.rows[0]
  if (!(await verify(password_hash, password))) throw new Error('Wrong password')
  const token = randomBytes(32)
  await run(
    `WITH session AS (INSERT INTO sessions (user_id, expires_at) VALUES ($1, now() + interval '30 days') RETURNING id)
     INSERT INTO refresh_tokens (session_id, token_hash) SELECT id, $2 FROM session`,
    [id, token],
  )
  return { accessToken: token.toString('base64url'), ...(await readUser(id)) }
})

app.post('/upload', async (request, reply) => {
  const part = await request.file()
  if (!part) throw new Error('No file')
  const key = randomUUID()
  const temporary = join(folder, `${key}.part`)
  await pipeline(part.file, createWriteStream(temporary, { flush: true }))
  await rename(temporary, join(folder, key))
  const handle = await open(folder, 'r')
  await handle.sync()
  await handle.close()
  const { rows } = await run(
    `WITH d AS (INSERT INTO documents (file_key, bytes, sha256) VALUES ($1, $2, '') RETURNING id)
     INSERT INTO notes (user_id, title, course_code, academic_year, is_anonymous, course_key, course_words, title_words,
                        instructor_words, document_id)
     SELECT $3, 'A scan', 'MAT137', '2025–26', false, 'MAT137', 'MAT137', 'scan:1', '', id FROM d
     RETURNING id AS "_id", title, course_code AS "courseCode", academic_year AS "academicYear", created_at AS "createdAt"`,
    [key, part.file.bytesRead, writerId],
  )
  return reply.status(201).send({ notes: rows })
})

app.get('/view', async (request, reply) => {
  const { rows } = await run(
    'SELECT d.file_key, d.bytes FROM notes n JOIN documents d ON d.id = n.document_id WHERE n.id = $1',
    [noteId],
  )
  const { file_key, bytes } = rows[0]
  const handle = await open(join(env('BENCH_STORED'), file_key.slice(0, 2), file_key), 'r')
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  reply.type('application/pdf')
  if (start === undefined || end === undefined) {
    return reply.header('content-length', bytes).send(handle.createReadStream({ highWaterMark: 256 * 1024 }))
  }
  return reply
    .status(206)
    .header('content-range', `bytes ${start}-${end}/${bytes}`)
    .header('content-length', Number(end) - Number(start) + 1)
    .send(handle.createReadStream({ start: Number(start), end: Number(end), highWaterMark: 256 * 1024 }))
})

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
process.once('SIGTERM', async () => {
  await app.close()
  await pool.end()
})
