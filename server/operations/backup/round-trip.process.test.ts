import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { notesResponse } from '../../../packages/contract/notes.ts'
import { makeTestFolder } from '../../testing/data-folder.ts'
import { createDatabase, filesEnv, queryAt } from '../../testing/database.ts'
import { onePagePdf } from '../../testing/pdf.ts'
import { logInAt, makeNoteForm, registerAt } from '../../testing/remote-users.ts'
import { runAdmin, type ServerProcess, startAdmin, startServerProcess } from '../../testing/server-process.ts'

const email = 'ada@uni.example'

async function call(server: ServerProcess, method: string, path: string, token: string, body?: object | FormData) {
  const isForm = body instanceof FormData
  return fetch(`${server.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && !isForm && { 'content-type': 'application/json' }) },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  })
}

/** The course of each note after each step; null means that it does not exist. */
const steps = [null, 'MAT137', 'CSC108', null]
/** The number of acknowledged steps of each note, by the hash of its uploaded file. */
type Book = Map<string, number>

/** Takes notes through some or all steps and records every acknowledgement. */
async function work(server: ServerProcess, book: Book, isOver: () => boolean): Promise<void> {
  const token = await logInAt(server, email)
  for (let round = 0; !isOver(); round++) {
    // Readers ignore bytes after the end of a PDF, so every file is different.
    const bytes = Buffer.concat([onePagePdf, randomBytes(100_000)])
    const key = createHash('sha256').update(bytes).digest('hex')
    book.set(key, 0)
    const uploaded = await call(server, 'POST', '/api/notes', token, makeNoteForm(bytes, round % 2 === 1))
    expect(uploaded.status).toBe(201)
    book.set(key, 1)
    const [note] = notesResponse.parse(await uploaded.json()).notes
    const path = `/api/users/me/notes/${note?._id}`
    if (round % 3 === 0) continue
    const change = { courseCode: 'CSC108', academicYear: '2025–26', isAnonymous: round % 2 === 1 }
    expect((await call(server, 'PATCH', path, token, change)).status).toBe(200)
    book.set(key, 2)
    if (round % 3 === 1) continue
    expect((await call(server, 'DELETE', path, token)).status).toBe(204)
    book.set(key, 3)
  }
}

/** Returns the course of every note, by the hash of its uploaded file. */
async function readNotes(databaseUrl: string): Promise<Map<string, string>> {
  const text = `SELECT encode(source_sha256, 'hex') AS key, course_code AS course FROM notes`
  const rows = await queryAt<{ key: string; course: string }>(databaseUrl, text)
  return new Map(rows.map(({ key, course }) => [key, course]))
}

/** Everything acknowledged before the backup began is present, and nothing that happened after it ended. */
function expectByTheBook(notes: Map<string, string>, before: Book, after: Book): void {
  expect([...after.keys()]).toEqual(expect.arrayContaining([...notes.keys()]))
  for (const [key, last] of after) {
    const possible = steps.slice(before.get(key) ?? 0, last + 1)
    expect(possible, `${before.get(key)} to ${last}`).toContain(notes.get(key) ?? null)
  }
}

it('brings back all that was acknowledged, from a busy server to another database and back', async () => {
  // In the project s3, from one bucket to another, and back to a disk.
  const [inSource, inElsewhere] = [await filesEnv(), await filesEnv()]
  const source = await startServerProcess(undefined, { env: inSource })
  const archive = join(await makeTestFolder(), 'backup.tar')
  const [elsewhere, home] = [await makeTestFolder(), await makeTestFolder()]
  let restored: ServerProcess | undefined
  try {
    await registerAt(source, email)
    const book: Book = new Map()
    let isOver = false
    const workers = [1, 2].map(() => work(source, book, () => isOver))
    await expect.poll(() => [...book.values()].filter((step) => step === 3).length).toBeGreaterThan(0)
    const before = new Map(book)
    expect(await runAdmin(['backup', archive], { DATA_DIR: source.dataDir, ...inSource })).toContain('Backed up')
    isOver = true
    await Promise.all(workers)

    const databaseUrl = await createDatabase(inject('postgresUrl'), `lectern_trip_${randomBytes(6).toString('hex')}`)
    const env = { DATA_DIR: elsewhere, DATABASE_URL: databaseUrl, ...inElsewhere }
    expect(await runAdmin(['restore', archive], env)).toContain('Restored the backup')
    expect(await runAdmin(['verify'], env)).toContain('no problems')
    const notes = await readNotes(databaseUrl)
    expectByTheBook(notes, before, book)

    restored = await startServerProcess(elsewhere, { env })
    const token = await logInAt(restored, email)
    const { notes: listed } = notesResponse.parse(
      await (await call(restored, 'GET', '/api/users/me/notes', token)).json(),
    )
    for (const { _id } of listed)
      expect((await call(restored, 'GET', `/api/notes/${_id}/view`, token)).status).toBe(200)

    // Restores to an embedded database again, through a pipe.
    const [saving, restoring] = [startAdmin(['backup', '-'], env), startAdmin(['restore', '-'], { DATA_DIR: home })]
    if (!restoring.child.stdin) throw new Error('It has a pipe')
    saving.child.stdout?.pipe(restoring.child.stdin)
    await Promise.all([saving, restoring])
    expect(await runAdmin(['verify'], { DATA_DIR: home })).toContain('no problems')
    await restored.interrupt()
    restored = undefined
    const again = await startServerProcess(home)
    restored = again
    expect(await readNotes(await again.databaseUrl())).toEqual(notes)
  } finally {
    await Promise.all([source.stop(), restored?.interrupt()])
  }
}, 300_000)
