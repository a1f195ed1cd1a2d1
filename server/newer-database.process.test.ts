import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { notesAnswer } from '../contract/notes.ts'
import { makeDataFolder, removeDataFolder } from './test/data-folder.ts'
import { createDatabase, templateName } from './test/database.ts'
import { password } from './test/factories.ts'
import { onePagePdf } from './test/pdf.ts'
import { type ServerProcess, startServerProcess } from './test/server-process.ts'
import { version } from './version.ts'

const makeDatabase = () =>
  createDatabase(inject('postgresUrl'), `lectern_newer_${randomBytes(6).toString('hex')}`, templateName)

/** What a release after this one may do to a database, and what it says of older servers. */
async function migrateFurther(databaseUrl: string, oldestServer: string | null): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  // Each by itself, as migrations are: who has one table and waits for another would meet requests that do.
  for (const table of ['notes', 'documents', 'users', 'sessions', 'ratings', 'document_pages']) {
    await client.query(`ALTER TABLE ${table} ADD COLUMN later integer NOT NULL DEFAULT 7`)
  }
  await client.query('CREATE TABLE shelves (note_id uuid PRIMARY KEY REFERENCES notes ON DELETE CASCADE)')
  const values = ['0998_shelves.sql', 'of the release after this one', oldestServer]
  await client.query('INSERT INTO schema_migrations (name, sha256, oldest_server) VALUES ($1, $2, $3)', values)
  await client.end()
}

async function call(server: ServerProcess, method: string, path: string, token = '', body?: object | FormData) {
  const isForm = body instanceof FormData
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && !isForm && { 'content-type': 'application/json' }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}\n${server.output()}`)
  return answer
}

/** @returns their access token. */
async function joinAs(server: ServerProcess, name: string): Promise<string> {
  const email = `${name}@uni.example`
  await call(server, 'POST', '/api/users/', '', { name, email, password, confirmPassword: password })
  const token = new URL(await server.readMailedLink(email)).searchParams.get('token')
  await call(server, 'POST', '/api/users/verify', '', { token })
  const answer = await call(server, 'POST', '/api/users/login', '', { email, password })
  return ((await answer.json()) as { accessToken: string }).accessToken
}

/** What students do: a note is shared, found, read, liked, changed and deleted. */
async function useLectern(server: ServerProcess, [ada = '', grace = '']: string[]): Promise<void> {
  const title = `Week ${randomBytes(4).toString('hex')}`
  const form = new FormData()
  const fields = { courseCode: 'MAT137', academicYear: '2025–26', isAnonymous: 'false', title }
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('note', new Blob([new Uint8Array(onePagePdf)], { type: 'application/pdf' }), `${title}.pdf`)
  const [note] = notesAnswer.parse(await (await call(server, 'POST', '/api/notes', ada, form)).json()).notes
  const listed = await call(server, 'GET', `/api/notes?title=${encodeURIComponent(title)}`, grace)
  expect(notesAnswer.parse(await listed.json()).notes.map(({ _id }) => _id)).toEqual([note?._id])
  const found = await call(server, 'GET', `/api/search?text=${encodeURIComponent(title)}`, grace)
  expect((await found.json()) as object).toMatchObject({ hits: [{ note: { _id: note?._id } }] })
  await call(server, 'GET', `/api/notes/${note?._id}/view`, grace)
  await call(server, 'PATCH', `/api/notes/${note?._id}/rating`, grace, { likes: '+' })
  const own = `/api/users/me/notes/${note?._id}`
  await call(server, 'PATCH', own, ada, { courseCode: 'CSC108', academicYear: '2025–26', isAnonymous: true })
  await call(server, 'DELETE', own, ada)
}

test('a server goes on while a newer one migrates the database that says so, and starts there again', async () => {
  const env = { DATABASE_URL: await makeDatabase() }
  const first = await startServerProcess(undefined, { env })
  const tokens = await Promise.all(['ada', 'grace'].map((name) => joinAs(first, name)))
  await useLectern(first, tokens)
  let isMigrated = false
  const crowd = [1, 2, 3].map(async () => {
    do await useLectern(first, tokens)
    while (!isMigrated)
  })
  await migrateFurther(env.DATABASE_URL, version)
  isMigrated = true
  await Promise.all(crowd)
  await useLectern(first, tokens)
  await first.interrupt()

  const again = await startServerProcess(first.dataDir, { env })
  expect((await call(again, 'GET', '/readyz')).status).toBe(200)
  await useLectern(again, tokens)
  await again.stop()
})

test.each([
  ['says nothing of older servers', null],
  ['only newer ones work beside', '999.0.0'],
])('a start on a database with a migration that %s ends with status 78 and says why', async (_what, oldestServer) => {
  const databaseUrl = await makeDatabase()
  await migrateFurther(databaseUrl, oldestServer)
  const dataDir = await makeDataFolder()
  const main = fileURLToPath(new URL('./main.ts', import.meta.url))
  const env = { ...process.env, PORT: '0', DATA_DIR: dataDir, DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' }
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const [status] = await once(child, 'close')
  expect([status, said]).toEqual([78, expect.stringContaining('newer than this Lectern: it has 0998_shelves.sql')])
  await removeDataFolder(dataDir)
})
