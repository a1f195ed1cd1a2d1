import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { verify } from '@node-rs/argon2'
import Fastify from 'fastify'
import pg from 'pg'
import { password, readBenchSettings } from './settings.ts'

/**
 * What Lectern is measured beside: plain Fastify routes that run the same SQL, the same password check and the same
 * file work, without accounts, schemas, guards or jobs.
 */
const { databaseUrl, filesFolder, userId, email } = readBenchSettings(process.env)
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
const app = Fastify({ bodyLimit: 30 * 2 ** 20 })
app.addContentTypeParser('application/pdf', (_request, payload, done) => done(null, payload))

const columns = `n.id, n.title, n.course_code, n.academic_year, n.instructor, n.is_anonymous, n.created_at, n.likes,
  n.dislikes, CASE WHEN n.is_anonymous AND n.user_id <> $1 THEN NULL ELSE u.id END AS author_id,
  CASE WHEN n.is_anonymous AND n.user_id <> $1 THEN NULL ELSE u.name END AS author_name`
const newest = 'ORDER BY n.created_at DESC, n.id DESC LIMIT 25'

app.get('/browse', async () => {
  const { rows } = await pool.query(`SELECT ${columns} FROM notes n JOIN users u ON u.id = n.user_id ${newest}`, [
    userId,
  ])
  return rows
})

app.get('/search', async () => {
  const { rows } = await pool.query(
    `SELECT ${columns} FROM notes n JOIN users u ON u.id = n.user_id
      WHERE n.course_key LIKE 'MAT%' AND n.title_words @@ $2::tsquery ${newest}`,
    [userId, "'algebra':*"],
  )
  return rows
})

app.post('/login', async () => {
  const { rows } = await pool.query('SELECT id, password_hash FROM users WHERE email = $1', [email])
  const ok = await verify(rows[0].password_hash, password)
  await pool.query(`INSERT INTO sessions (user_id, expires_at) VALUES ($1, now() + interval '1 day')`, [userId])
  return { ok }
})

app.get<{ Params: { key: string } }>('/view/:key', async (request, reply) => {
  const path = join(filesFolder, request.params.key.slice(0, 2), request.params.key)
  const { size } = await stat(path)
  return reply.type('application/pdf').header('content-length', size).send(createReadStream(path))
})

app.post('/upload', async (request, reply) => {
  const key = randomBytes(16).toString('hex')
  await pipeline(
    request.body as NodeJS.ReadableStream,
    createWriteStream(join(filesFolder, 'incoming', key), { flush: true }),
  )
  await pool.query(
    `INSERT INTO notes (user_id, title, course_code, academic_year, is_anonymous, course_key, title_words,
       instructor_words, file_key, file_bytes, file_sha256)
     VALUES ($1, 'Bench', 'BEN100', '2025–26', false, 'BEN100', '', '', $2, 1, '')`,
    [userId, key],
  )
  return reply.status(201).send({ key })
})

const address = await app.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`Bare server at ${address}\n`)
