import { randomBytes, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import multipart from '@fastify/multipart'
import { verify } from '@node-rs/argon2'
import Fastify from 'fastify'
import pg from 'pg'
import { noteQuery } from '../contract/search.ts'
import type { Db } from '../server/db/pool.ts'
import { createReadWithin, readsOn } from '../server/db/read-within.ts'
import { findNoteFile, insertNotes } from '../server/notes/notes.queries.ts'
import { findNotesById } from '../server/notes/visible-notes.ts'
import { getProfile } from '../server/profile/profile.ts'
import { listNotes } from '../server/search/search.ts'
import * as sessions from '../server/sessions/sessions.queries.ts'
import { recordSql, type Statement, withValues } from './record-sql.ts'

/**
 * What the server is measured against: Fastify routes that send the same SQL on the same driver and do the same
 * hashing and file work, and nothing else. No validation, no limits, no headers, no ownership, no PDF check.
 */
const env = (name: string): string => process.env[name] ?? ''
const readerId = env('BENCH_READER')
const reader = { id: readerId, role: 'student' } as const
const noteId = env('BENCH_NOTE')
const email = env('BENCH_EMAIL')
const folder = env('BENCH_FILES')

const poolSize = 10
const pool = new pg.Pool({ connectionString: env('DATABASE_URL'), max: poolSize })
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const send = ({ text, values }: Statement, on: pg.Pool | pg.PoolClient = pool) => on.query(text, values)

const claims = { userId: readerId, sessionId: env('BENCH_SESSION') }
const readsOf = (db: Db) => readsOn(db, createReadWithin(db, poolSize))
const isLiving = await recordOne((db) => sessions.findLivingSession(db, claims))
const browse = await recordOne((db) => listNotes(readsOf(db), 'all', reader, noteQuery.parse({})))
const findFile = await recordOne((db) => findNoteFile(db, reader, noteId))
const findLogin = await recordOne((db) => sessions.findLogins(db, email))
const readUser = await recordSql(pool, (db) => getProfile(db, reader))

const recorded = { sessionId: '', tokenHash: randomBytes(32), fileKey: randomUUID(), sha256: randomBytes(32) }
const startSession = await recordSql(pool, (db) =>
  db.transaction().execute(async (tx) => {
    recorded.sessionId = await sessions.insertSession(tx, readerId, 3600)
    await sessions.insertRefreshToken(tx, recorded.sessionId, recorded.tokenHash)
  }),
)
let insertedId = ''
const details = { courseCode: 'MAT137', academicYear: '2025–26', instructor: undefined, isAnonymous: false }
const insertNote = await recordSql(pool, async (db) => {
  const document = { fileKey: recorded.fileKey, bytes: 1, sha256: recorded.sha256, pageCount: 1, drawnPages: [] }
  await db.transaction().execute(async (tx) => {
    ;[insertedId = ''] = await insertNotes(tx, [
      { ...details, userId: readerId, title: 'A scan', sourceSha256: recorded.sha256, document },
    ])
  })
  await findNotesById(db, reader, [insertedId])
})
const [{ document_id: recordedDocumentId }] = (
  await pool.query<{ document_id: string }>('SELECT document_id FROM notes WHERE id = $1', [insertedId])
).rows as [{ document_id: string }]

const app = Fastify({ bodyLimit: 64 * 2 ** 20 })
await app.register(multipart, { limits: { fileSize: 64 * 2 ** 20 } })
await mkdir(folder, { recursive: true })

app.get('/ready', () => 'yes')

app.get('/browse', async () => {
  await send(isLiving)
  return { notes: (await send(browse)).rows }
})

app.post('/login', async (request) => {
  const { password } = request.body as { password: string }
  const { rows } = await send(findLogin)
  if (!(await verify(rows[0].passwordHash, password))) throw new Error('Wrong password')
  const token = randomBytes(32)
  const [insertSession, insertToken] = startSession.filter(({ text }) => /insert/i.test(text))
  if (!insertSession || !insertToken) throw new Error('The session’s statements were not recorded')
  await inTransaction(async (client) => {
    const session = await send(insertSession, client)
    const values = new Map<unknown, unknown>([
      [recorded.sessionId, session.rows[0].id],
      [recorded.tokenHash, token],
    ])
    await send(withValues(insertToken, values), client)
  })
  const answers = await Promise.all(readUser.map((statement) => send(statement)))
  return { token: token.toString('base64url'), user: answers.map((answer) => answer.rows) }
})

app.post('/upload', async (request, reply) => {
  await send(isLiving)
  const part = await request.file()
  if (!part) throw new Error('No file')
  const key = randomUUID()
  const temporary = join(folder, `${key}.part`)
  await pipeline(part.file, createWriteStream(temporary, { flush: true }))
  await rename(temporary, join(folder, key))
  const handle = await open(folder, 'r')
  await handle.sync()
  await handle.close()
  const [insertDocument, insert, select] = insertNote.filter(({ text }) => /insert|select/i.test(text))
  if (!insertDocument || !insert || !select) throw new Error('The note’s statements were not recorded')
  const id = await inTransaction(async (client) => {
    const document = await send(withValues(insertDocument, new Map([[recorded.fileKey, key]])), client)
    const values = new Map([[recordedDocumentId, document.rows[0].id]])
    return (await send(withValues(insert, values), client)).rows[0].id
  })
  const { rows } = await send({
    ...select,
    values: select.values.map((value) => (Array.isArray(value) ? [id] : value)),
  })
  return reply.status(201).send({ notes: rows })
})

app.get('/view', async (request, reply) => {
  await send(isLiving)
  const { fileKey, fileBytes } = (await send(findFile)).rows[0]
  const handle = await open(join(env('BENCH_STORED'), fileKey.slice(0, 2), fileKey), 'r')
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  reply.type('application/pdf')
  if (start === undefined || end === undefined) {
    return reply.header('content-length', fileBytes).send(handle.createReadStream())
  }
  const range = { start: Number(start), end: Number(end) }
  return reply
    .status(206)
    .header('content-range', `bytes ${start}-${end}/${fileBytes}`)
    .header('content-length', range.end - range.start + 1)
    .send(handle.createReadStream(range))
})

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
process.once('SIGTERM', async () => {
  await app.close()
  await pool.end()
})

async function recordOne(run: Parameters<typeof recordSql>[1]): Promise<Statement> {
  const [statement, another] = await recordSql(pool, run)
  if (!statement || another) throw new Error('One statement was expected')
  return statement
}

async function inTransaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } finally {
    client.release()
  }
}
