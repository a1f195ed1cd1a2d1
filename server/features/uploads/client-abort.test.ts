import { readdir } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, vi } from 'vitest'
import { makeEndlessFile } from '../../../packages/pdfium/test/hostile-files.ts'
import { createPdfTools } from '../../platform/pdf/pdf-tools.ts'
import type { SpooledFile } from '../../platform/storage/storage.ts'
import { asViewer, createNote, createUser, itWithUsers, openTestApp, type TestUser } from '../../testing/app.ts'
import { file, goodFields, makeForm, uploadNote } from '../../testing/form.ts'
import { quietLog } from '../../testing/log.ts'
import { countNotes, expectNoOrphanedFiles, expectNoOrphanedFilesAfterSweep } from '../../testing/storage-assertions.ts'
import { patch } from '../../testing/students.ts'
import { changeNote } from '../notes/notes.ts'
import { asChange } from '../notes/properties.ts'

const test = await openTestApp()
const it = itWithUsers(test)
const { db, files } = test.deps
const details = { courseCode: 'MAT137', academicYear: '2025–26', isAnonymous: true }

// With these timeouts, endless work ends only when its request is aborted.
await test.deps.pdf.close()
const folder = `${test.deps.config.dataDir}/spool`
const pdf = createPdfTools({ log: quietLog, folder, timeoutsMs: { inspect: 3_600_000, anonymise: 3_600_000 } })
test.deps.pdf = pdf
afterAll(() => pdf.close())

const port = Number(new URL(await test.app.listen({ port: 0, host: '127.0.0.1' })).port)

/** Sends a complete request. @returns a function that disconnects before the response. */
function send(user: TestUser, method: string, path: string, payload: Buffer, headers: object): () => void {
  const sent = { ...headers, ...user.auth, 'content-length': payload.length }
  const request = httpRequest({ port, method, path, headers: sent, agent: false })
  request.on('error', () => {})
  request.end(payload)
  return () => void request.destroy()
}

function sendEndlessFile(user: TestUser) {
  const { payload, headers } = makeForm([...goodFields, file(makeEndlessFile())])
  return send(user, 'POST', '/api/notes', payload, headers)
}

const isAnonymous = async (noteId: string) =>
  (await db.selectFrom('notes').select('is_anonymous').where('id', '=', noteId).executeTakeFirstOrThrow()).is_anonymous

it('one student’s files that do not end let the files of others through, and end with their connections', async () => {
  const [attacker, honest] = await Promise.all([createUser(test), createUser(test)])
  const connections = Array.from({ length: 6 }, () => sendEndlessFile(attacker))
  for (const isAnonymous of [false, true]) await uploadNote(test, honest, undefined, { isAnonymous })
  for (const leave of connections) leave()
  // The same student's next file is only processed after the aborted work has ended.
  await uploadNote(test, attacker)
  expect([await countNotes(test, attacker.id), await countNotes(test, honest.id)]).toEqual([1, 2])
  await expectNoOrphanedFiles(test)
})

describe('an edit whose client has disconnected', () => {
  it('ends, and leaves the note as it was', async ({ owner }) => {
    const endless = await createNote(test, owner, { content: makeEndlessFile() })
    const fine = await createNote(test, owner)
    const path = (noteId: string) => `/api/users/me/notes/${noteId}`
    const body = Buffer.from(JSON.stringify(details))
    const leave = send(owner, 'PATCH', path(endless), body, { 'content-type': 'application/json' })
    await expect.poll(async () => (await readdir(folder)).length).toBe(1)
    leave()
    expect((await patch(test, path(fine), details, owner.auth)).statusCode).toBe(200)
    expect([await isAnonymous(endless), await isAnonymous(fine)]).toEqual([false, true])
    await expectNoOrphanedFiles(test)
  })

  it('and so does one that takes longer than the pages wait', async ({ owner }) => {
    const endless = await createNote(test, owner, { content: makeEndlessFile() })
    const waiting = new AbortController().signal
    const edit = changeNote(test.deps, asViewer(owner), endless, details, waiting, { timeoutMs: 300 })
    await expect(edit).rejects.toMatchObject({ code: 'busy' })
    expect(await isAnonymous(endless)).toBe(false)
    await expectNoOrphanedFiles(test)
  })
})

const never = new Promise<never>(() => {})
const edited = { ...details, instructor: undefined }
const gone = new Error('gone')

it.each([
  ['to find a file', () => never],
  ['to send it', async () => new Readable({ read() {} })],
])('a storage that hangs %s delays an edit only while its client waits, never others’ files', async (_what, get) => {
  const owners = await Promise.all([createUser(test), createUser(test), createUser(test)])
  const leaving = new AbortController()
  const hanging = vi.fn(get)
  const deps = { ...test.deps, files: { ...files, get: hanging } }
  const edits = owners.map(async (owner) => {
    const noteId = await createNote(test, owner)
    return changeNote(deps, asViewer(owner), noteId, asChange(edited), leaving.signal).catch((error: Error) => error)
  })
  await expect.poll(() => hanging.mock.calls).toHaveLength(3)
  await uploadNote(test, await createUser(test))
  leaving.abort(gone)
  expect(await Promise.all(edits)).toEqual([gone, gone, gone])
  await uploadNote(test, owners[0])
  await expectNoOrphanedFiles(test)
})

it.for([
  ['to take a file keeps an edit no longer, and the file is removed when it has it', true],
  ['does not keep a file either that it took at the moment the client left', false],
])('a storage that hangs %s', async ([_what, hangs], { owner }) => {
  const noteId = await createNote(test, owner)
  const leaving = new AbortController()
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  async function put(key: string, stored: SpooledFile) {
    await files.put(key, stored)
    leaving.abort(gone)
    if (hangs) await held
  }
  const deps = { ...test.deps, files: { ...files, put } }
  await expect(changeNote(deps, asViewer(owner), noteId, asChange(edited), leaving.signal)).rejects.toThrow('gone')
  expect(await isAnonymous(noteId)).toBe(false)
  release()
  await expectNoOrphanedFiles(test)
})

it('a storage that hangs while it deletes the previous file does not delay an edit', async ({ owner }) => {
  const noteId = await createNote(test, owner)
  const leaving = new AbortController()
  const remove = () => {
    leaving.abort(gone)
    return never
  }
  const deps = { ...test.deps, files: { ...files, delete: remove } }
  expect(await changeNote(deps, asViewer(owner), noteId, asChange(edited), leaving.signal)).toMatchObject({
    isAnonymous: true,
  })
  await expectNoOrphanedFilesAfterSweep(test)
})
