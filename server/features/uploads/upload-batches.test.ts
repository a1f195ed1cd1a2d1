import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import type { Note } from '../../../packages/contract/notes.ts'
import { createNote, createUser, itWithUsers, openTestApp, type TestUser } from '../../testing/app.ts'
import { field, file, goodFields, type Part, upload, uploadNote } from '../../testing/form.ts'
import { onePagePdf } from '../../testing/pdf.ts'
import { createPdfWithText, pdfByAuthor } from '../../testing/pdf-kinds.ts'
import { expectRefusal, expectStatus } from '../../testing/refusal.ts'
import { expectNoOrphanedFilesAfterSweep, expectNothingKept } from '../../testing/storage-assertions.ts'
import { get, post, remove } from '../../testing/students.ts'
import { deleteOldBatches } from './upload.ts'

const test = await openTestApp()
const it = itWithUsers(test)
const { db } = test.deps
const list = async (user: TestUser, url = '/api/users/me/notes') =>
  (await get(test, url, user.auth)).json<{ notes: Note[] }>().notes
const titles = async (user: TestUser) => (await list(user)).map(({ title }) => title)
const send = (user: TestUser, batch: string, position: number, isAnonymous: boolean, files: Part[]) => {
  const fields = { batch, position: String(position), isAnonymous: String(isAnonymous) }
  const parts = Object.entries(fields).map(([name, value]) => field(name, value))
  return upload(test, user, [...goodFields, ...parts, ...files])
}
const share = (user: TestUser, batch: string, position: number, title = `File ${position}`) =>
  send(user, batch, position, position % 2 === 1, [file(onePagePdf, `${title}.pdf`)])

it('the order of uploads: lists the files of one request as they were chosen, and earlier uploads below', async () => {
  const user = await createUser(test)
  await uploadNote(test, user, onePagePdf, { fileName: 'Before.pdf' })
  const names = Array.from({ length: 8 }, (_, at) => `Week ${at + 1}`)
  await upload(test, user, [...goodFields, ...names.map((name) => file(onePagePdf, `${name}.pdf`))])
  expect(await titles(user)).toEqual([...names, 'Before'])
})

it('the order of uploads: lists the requests of one upload as they were chosen, whichever comes first, two at a time', async () => {
  const [user, other] = await Promise.all([createUser(test), createUser(test)])
  const batch = crypto.randomUUID()
  for (const positions of [[3, 1], [4, 0], [2]]) {
    const answers = await Promise.all(positions.map((position) => share(user, batch, position)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(positions.map(() => 201))
    // Another user's upload with the same batch id is a different upload.
    await share(other, batch, positions[0] ?? 0)
  }
  await share(user, crypto.randomUUID(), 0, 'After')
  expect(await titles(user)).toEqual(['After', 'File 0', 'File 1', 'File 2', 'File 3', 'File 4'])
  expect(await titles(other)).toEqual(['File 2', 'File 3', 'File 4'])
})

it('the order of uploads: continues after any note of an upload, also after one that was deleted', async ({ user }) => {
  const batch = crypto.randomUUID()
  for (const position of [2, 0, 3, 1]) await share(user, batch, position)
  const notes = await list(user)
  const after = async ({ _id, createdAt }: Note) => {
    const query = new URLSearchParams({ cursorId: _id, cursorValue: createdAt })
    return (await list(user, `/api/users/me/notes?${query}`)).map(({ title }) => title)
  }
  for (const [at, note] of notes.entries())
    expect(await after(note)).toEqual(notes.slice(at + 1).map(({ title }) => title))
  const [, second] = notes
  if (!second) throw new Error('Four notes were shared')
  await remove(test, `/api/users/me/notes/${second._id}`, user.auth)
  // Notes before the cursor may be repeated; notes after it are never skipped.
  expect((await after(second)).slice(-2)).toEqual(['File 2', 'File 3'])
})

it('the order of uploads: tells others nothing of it: they see when each note came, and the order of that', async () => {
  const [user, stranger] = await Promise.all([createUser(test), createUser(test)])
  const batch = crypto.randomUUID()
  for (const position of [1, 2, 0]) await share(user, batch, position, `Canary ${position}`)
  const seen = await list(stranger, '/api/notes?title=canary')
  const made = seen.map(({ createdAt, _id }) => `${createdAt} ${_id}`)
  expect(made).toEqual(made.toSorted().toReversed())
  // `createdAt` is the real creation time, not the list position.
  const rows = await db.selectFrom('notes').select(['id', 'created_at']).where('user_id', '=', user.id).execute()
  for (const { _id, createdAt } of seen)
    expect(rows.find(({ id }) => id === _id)?.created_at.toISOString()).toBe(createdAt)
  const kinds = seen.map((note) => Object.keys(note).sort().join())
  expect(new Set(kinds).size).toBe(1)
  expect(kinds[0]).not.toMatch(/listed|batch|position/)
})

it.for([
  ['batch', 'not-an-id'],
  ['position', '-1'],
  ['position', '1.5'],
  ['position', '99999'],
] as const)('the order of uploads: refuses %s %j, and keeps nothing', async ([name, value], { user }) => {
  const response = await expectStatus(400, upload(test, user, [...goodFields, field(name, value), file()]))
  expect(Object.keys(response.json().fields)).toEqual([name])
  await expectNothingKept(test, user.id)
})

it('the order of uploads: forgets after a day what belonged together', async ({ user }) => {
  await share(user, crypto.randomUUID(), 0)
  const own = db.selectFrom('upload_batches').select('id').where('user_id', '=', user.id)
  await deleteOldBatches(db)
  expect(await own.execute()).toHaveLength(1)
  await sql`UPDATE upload_batches SET began_at = ${new Date(Date.now() - 25 * 3_600_000)}`.execute(db)
  await deleteOldBatches(db)
  expect(await own.execute()).toEqual([])
})

const contents = ['Eigenvalues', 'Divergence'].map((text) => createPdfWithText(text))

const sendAgain = (user: TestUser, batch: string, position = 0, files = contents, isAnonymous = false) => {
  const parts = files.map((content) => file(content))
  return send(user, batch, position, isAnonymous, parts)
}
const settle = async (user: TestUser, batch: string, position = 0) =>
  (await post(test, '/api/users/me/uploads/settle', { batch, position }, user.auth)).json().note
const notesOf = ({ id }: TestUser) => db.selectFrom('notes').select('id').where('user_id', '=', id).execute()

describe('an upload with a batch and a position that is sent again', () => {
  it.each([false, true])('is shared once, also in a race, and answered alike (anonymous: %s)', async (isAnonymous) => {
    const [user, other] = [await createUser(test), await createUser(test)]
    const batch = crypto.randomUUID()
    const [first, second] = await Promise.all([1, 2].map(() => sendAgain(user, batch, 0, contents, isAnonymous)))
    const third = await sendAgain(user, batch, 0, contents, isAnonymous)
    for (const answer of [first, second, third]) {
      expect(answer?.statusCode).toBe(201)
      expect(answer?.json()).toEqual(first?.json())
    }
    expect(await notesOf(user)).toHaveLength(2)
    // Another position or another student makes a different upload.
    expect((await sendAgain(user, batch, 2)).statusCode).toBe(201)
    expect((await sendAgain(other, batch)).statusCode).toBe(201)
    expect([await notesOf(user), await notesOf(other)].map(({ length }) => length)).toEqual([4, 2])
    await expectNoOrphanedFilesAfterSweep(test)
  })

  it('is not shared again after it was deleted', async ({ user }) => {
    const batch = crypto.randomUUID()
    const { notes } = (await sendAgain(user, batch)).json<{ notes: { _id: string }[] }>()
    for (const { _id } of notes) await remove(test, `/api/users/me/notes/${_id}`, user.auth)
    expectRefusal(await sendAgain(user, batch), 'upload_key_used')
    expect(await notesOf(user)).toEqual([])
    await expectNoOrphanedFilesAfterSweep(test)
  })

  it('is refused with another file', async ({ user }) => {
    const batch = crypto.randomUUID()
    await sendAgain(user, batch)
    for (const files of [contents.toReversed(), [...contents, ...contents]])
      expectRefusal(await sendAgain(user, batch, 0, files), 'upload_key_used')
    expect(await notesOf(user)).toHaveLength(2)
  })
})

describe('POST /api/users/me/uploads/settle', () => {
  it('answers the note of a file, or refuses the file from then on', async ({ user, other }) => {
    const batch = crypto.randomUUID()
    const { notes } = (await sendAgain(user, batch)).json()
    expect(await settle(user, batch, 1)).toEqual(notes[1])
    expect(await settle(other, batch, 1)).toBeNull()
    expect(await settle(user, batch, 2)).toBeNull()
    expect(await settle(user, batch, 2)).toBeNull()
    expectRefusal(await sendAgain(user, batch, 2), 'upload_key_used')
    expect(await notesOf(user)).toHaveLength(2)
    await expectNoOrphanedFilesAfterSweep(test)
  })

  it('stays true for an upload in progress', async ({ user }) => {
    for (let round = 0; round < 10; round++) {
      const batch = crypto.randomUUID()
      const before = (await notesOf(user)).length
      const upload = sendAgain(user, batch, 0, contents.slice(0, 1))
      const settled = await settle(user, batch)
      const answer = await upload
      if (settled === null) expectRefusal(answer, 'upload_key_used')
      else expect(answer.json().notes).toEqual([settled])
      expect((await notesOf(user)).length - before).toBe(settled === null ? 0 : 1)
    }
  })
})

const [ada, ben] = await Promise.all([createUser(test, { name: 'Ada Okafor' }), createUser(test)])
const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')
const ask = (user: TestUser, digits: string) => get(test, `/api/users/me/notes/same-file?sha256=${digits}`, user.auth)

it('GET /api/users/me/notes/same-file names the newest own note of this very file, until that is deleted', async () => {
  const content = createPdfWithText('Eigenvalues')
  expect((await ask(ada, sha256(content))).json()).toEqual({ note: null })
  const older = await uploadNote(test, ada, content)
  const newer = await uploadNote(test, ada, content)
  expect((await ask(ada, sha256(content))).json().note._id).toBe(newer._id)
  expect((await ask(ada, sha256(content).toUpperCase())).json().note._id).toBe(newer._id)
  await remove(test, `/api/users/me/notes/${newer._id}`, ada.auth)
  expect((await ask(ada, sha256(content))).json().note._id).toBe(older._id)
})

it('GET /api/users/me/notes/same-file reveals nothing about another user’s note, and answers as if there were none', async () => {
  const content = createPdfWithText('Divergence')
  const unknown = await ask(ben, sha256(content))
  for (const isAnonymous of [false, true]) await uploadNote(test, ada, content, { isAnonymous })
  const known = await ask(ben, sha256(content))
  expect([known.statusCode, known.body]).toEqual([unknown.statusCode, unknown.body])
  expect((await uploadNote(test, ben, content)).user?._id).toBe(ben.id)
})

it('GET /api/users/me/notes/same-file knows an anonymous note by the file as it was sent, not by the one that is stored', async () => {
  const content = pdfByAuthor('Ada Okafor')
  const note = await uploadNote(test, ada, content, { isAnonymous: true })
  expect((await ask(ada, sha256(content))).json().note._id).toBe(note._id)
  const view = await get(test, `/api/notes/${note._id}/view`, ada.auth)
  expect((await ask(ada, sha256(view.rawPayload))).json()).toEqual({ note: null })
})

it('GET /api/users/me/notes/same-file tells the hash of a file in no answer and no header', async () => {
  const content = pdfByAuthor('Ada Okafor')
  const note = await uploadNote(test, ada, content, { isAnonymous: true })
  const digest = Buffer.from(sha256(content), 'hex')
  const urls = [
    '/api/notes',
    '/api/users/me/notes',
    `/api/notes/${note._id}`,
    `/api/notes/by-id?ids=${note._id}`,
    `/api/notes/${note._id}/view`,
    `/api/users/me/notes/same-file?sha256=${sha256(content)}`,
  ]
  for (const user of [ada, ben]) {
    for (const url of urls) {
      const answer = await expectStatus(200, get(test, url, user.auth))
      const everything = JSON.stringify(answer.headers) + answer.rawPayload.toString('latin1')
      for (const spelling of ['hex', 'base64', 'base64url', 'latin1'] as const)
        expect(everything.includes(digest.toString(spelling))).toBe(false)
    }
  }
})

it('GET /api/users/me/notes/same-file knows nothing of notes that came before files were remembered', async () => {
  const content = createPdfWithText('Long ago')
  await createNote(test, ada, { content })
  expect((await ask(ada, sha256(content))).json()).toEqual({ note: null })
})

it.each(['', 'abc', `${'0'.repeat(63)}g`, '0'.repeat(65), '%00'])('same-file refuses %j as a hash', async (digits) => {
  expectRefusal(await ask(ada, digits), 'invalid_input', expect.any(String))
})
