import { randomUUID } from 'node:crypto'
import type { Updateable } from 'kysely'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { messages } from '../../../packages/contract/fields.ts'
import { academicYears, formatAcademicYear, pageSize } from '../../../packages/contract/limits.ts'
import { note as noteSchema } from '../../../packages/contract/notes.ts'
import type { Documents } from '../../platform/db/schema.ts'
import { newFileKey } from '../../platform/storage/storage.ts'
import { createNote, createUser, openTestApp, type TestUser } from '../../testing/app.ts'
import { onePagePdf } from '../../testing/pdf.ts'
import { lockedPdf } from '../../testing/pdf-kinds.ts'
import { expectRefusal, expectStatus } from '../../testing/refusal.ts'
import { expectNoOrphanedFiles, expectNoOrphanedFilesAfterSweep } from '../../testing/storage-assertions.ts'
import { documentOf, putBytes } from '../../testing/stored-files.ts'
import { get, getMe, patch, rate, remove as send } from '../../testing/students.ts'
import { whileLocked } from '../../testing/with-blocked-query.ts'
import { updateOwnNote } from './notes.queries.ts'
import { createTitle, removeAuthorWords } from './title.ts'

const test = await openTestApp()
const [owner, other] = await Promise.all([createUser(test, { name: 'Ada Okafor' }), createUser(test)])
const details = { courseCode: 'PHY151', academicYear: '2024–25', instructor: 'Dr. Noor', isAnonymous: false }
const edit = (user: TestUser | null, noteId: string, payload: object, headers = {}) =>
  patch(test, `/api/users/me/notes/${noteId}`, payload, { ...user?.auth, ...headers })
const change = (user: TestUser | null, noteId: string, payload: object, headers = {}) =>
  patch(test, `/api/users/me/notes/${noteId}/details`, payload, { ...user?.auth, ...headers })
const view = (user: TestUser, noteId: string, headers = {}) =>
  test.app.inject({ url: `/api/notes/${noteId}/view`, headers: { ...user.auth, ...headers } })
const find = async (query: string) =>
  (await test.app.inject({ url: `/api/users/me/notes?${query}`, headers: owner.auth })).json().notes
const stored = (noteId: string) =>
  test.deps.db.selectFrom('notes').selectAll().where('id', '=', noteId).executeTakeFirstOrThrow()

it('PATCH /api/users/me/notes/{id} replaces the details and answers the note, as the list shows it', async () => {
  const createdAt = '2026-01-02T03:04:05.678Z'
  const noteId = await createNote(test, owner, { title: 'Optics', instructor: 'Dr. Old', createdAt, likes: 3 })
  const response = await expectStatus(200, edit(owner, noteId, { ...details, courseCode: ' phy 151 ' }))
  const note = z.strictObject(noteSchema.shape).parse(response.json())
  expect(note).toEqual({
    ...details,
    ...{ _id: noteId, title: 'Optics', courseCode: 'PHY 151', createdAt, likes: 3, dislikes: 0 },
    user: { _id: owner.id, name: 'Ada Okafor' },
    document: { bytes: onePagePdf.length, pageCount: 1, thumbnail: null, isProcessing: true },
    version: expect.stringMatching(/^[\w-]{22}$/),
  })
  expect([await find('courseCode=phy151&instructor=noor'), await find('instructor=old')]).toEqual([[note], []])
})

it('PATCH /api/users/me/notes/{id} keeps a year that is no longer offered', async () => {
  const noteId = await createNote(test, owner, { academicYear: '1998–99' })
  const response = await edit(owner, noteId, { ...details, academicYear: '1998–99' })
  expect(response.json()).toMatchObject({ academicYear: '1998–99', courseCode: 'PHY151' })
})

it('PATCH /api/users/me/notes/{id} changes nothing else, whatever is sent along', async () => {
  const noteId = await createNote(test, owner, { likes: 2 })
  const before = await stored(noteId)
  const identity = { _id: crypto.randomUUID(), user: { _id: other.id, name: 'Other' }, user_id: other.id }
  const facts = { likes: 999, dislikes: 999, createdAt: '2000-01-01T00:00:00.000Z', file_key: 'x' }
  expect((await edit(owner, noteId, { ...details, ...identity, ...facts })).statusCode).toBe(200)
  const { course_code, course_key, course_words, academic_year, instructor, instructor_words, ...after } =
    await stored(noteId)
  expect(before).toMatchObject(after)
})

it('PATCH /api/users/me/notes/{id} keeps the file and its ETag while the note stays as anonymous as it was', async () => {
  for (const isAnonymous of [false, true]) {
    const noteId = await createNote(test, owner, { isAnonymous })
    const etag = String((await view(other, noteId)).headers.etag)
    expect((await edit(owner, noteId, { ...details, isAnonymous })).json()).toMatchObject({ isAnonymous })
    expect((await view(other, noteId, { 'if-none-match': etag })).statusCode).toBe(304)
  }
})

it('PATCH /api/users/me/notes/{id} keeps what is edited while the note becomes anonymous', async () => {
  const noteId = await createNote(test, owner, { title: 'Week 1' })
  const { runForOwner } = test.deps.pdf
  vi.spyOn(test.deps.pdf, 'runForOwner').mockImplementationOnce(async (...run) => {
    await edit(owner, noteId, { ...details, title: 'Week 2' })
    return runForOwner(...run)
  })
  expect((await edit(owner, noteId, { ...details, isAnonymous: true })).json()).toMatchObject({ title: 'Week 2' })
})

const required = 'Please fill in all required fields.'
const badYear = 'Choose an academic year like 2026–27.'
const nextYear = formatAcademicYear(Number((academicYears(new Date(), 8)[0] ?? '').slice(0, 4)) + 1)
const cases: [string, object, string][] = [
  ['no course code', { ...details, courseCode: undefined }, required],
  ['a year to come', { ...details, academicYear: nextYear }, badYear],
  ['a title that shows nothing', { ...details, title: '\u200b\u2800' }, required],
  ['a long title', { ...details, title: 'x'.repeat(201) }, 'Use at most 200 characters.'],
  ['a long instructor', { ...details, instructor: 'x'.repeat(101) }, 'Use at most 100 characters.'],
]
it.each(cases)('PATCH /api/users/me/notes/{id} refuses, and changes nothing: %s', async (_what, payload, message) => {
  const noteId = await createNote(test, owner)
  const before = await stored(noteId)
  const response = await edit(owner, noteId, payload)
  expectRefusal(response, 'invalid_input', message)
  expect(Object.values(response.json().fields)).toEqual([message])
  expect(await stored(noteId)).toEqual(before)
})

it('PATCH /api/users/me/notes/{id} refuses, and changes nothing: another student, as if there were no such note', async () => {
  for (const isAnonymous of [false, true]) {
    const noteId = await createNote(test, owner, { isAnonymous })
    const before = await stored(noteId)
    const theirs = await edit(other, noteId, { ...details, isAnonymous: true })
    const nobodys = await edit(other, crypto.randomUUID(), { ...details, isAnonymous: true })
    expectRefusal(theirs, 'note_not_found')
    expect(theirs.body).toBe(nobodys.body)
    expect(await stored(noteId)).toEqual(before)
  }
  await expectNoOrphanedFiles(test)
})

it('PATCH /api/users/me/notes/{id} refuses, and changes nothing: to make a note anonymous whose file is missing, immediately', async () => {
  const noteId = await createNote(test, owner)
  const { file_key: key } = await documentOf(test, noteId)
  await test.deps.files.delete(key)
  const before = await stored(noteId)
  expectRefusal(await edit(owner, noteId, { ...details, isAnonymous: true }), 'file_missing')
  expect(await stored(noteId)).toEqual(before)
  await test.deps.db.deleteFrom('notes').where('id', '=', noteId).execute()
  await expectNoOrphanedFilesAfterSweep(test)
})

it('PATCH /api/users/me/notes/{id} refuses, and changes nothing: to make a locked file anonymous', async () => {
  const noteId = await createNote(test, owner, { title: 'Exam', content: lockedPdf() })
  const before = await stored(noteId)
  const message = '“Exam” can’t be uploaded anonymously because it’s locked or damaged.'
  expectRefusal(await edit(owner, noteId, { ...details, isAnonymous: true }), 'cannot_anonymise', message)
  expect(await stored(noteId)).toEqual(before)
  expect((await view(other, noteId)).rawPayload).toEqual(lockedPdf())
  await expectNoOrphanedFiles(test)
})

const before = { courseCode: 'MAT137', academicYear: '2025–26', instructor: 'Dr. Old' }
it('PATCH /api/users/me/notes/{id}/details changes the anonymity alone', async () => {
  const noteId = await createNote(test, owner, { ...before, title: 'Optics' })
  const answer = await change(owner, noteId, { isAnonymous: true })
  expect(answer.json()).toMatchObject({ ...before, title: 'Optics', isAnonymous: true })
  await test.deps.db.deleteFrom('notes').where('id', '=', noteId).execute()
  await expectNoOrphanedFilesAfterSweep(test)
})

it('PATCH /api/users/me/notes/{id}/details refuses nothing, and a title alone', async () => {
  const noteId = await createNote(test, owner, before)
  const stays = await stored(noteId)
  for (const payload of [{}, { title: 'New' }])
    expectRefusal(await change(owner, noteId, payload), 'invalid_input', messages.changeSomething)
  expect(await stored(noteId)).toEqual(stays)
})

it('PATCH /api/users/me/notes/{id}/details never shows a note by name again that another device makes anonymous at that moment', async () => {
  const noteId = await createNote(test, owner, before)
  const years = academicYears(new Date(), 8)
  const answers = await Promise.all([
    ...years.map((academicYear) => change(owner, noteId, { academicYear })),
    edit(owner, noteId, { ...details, isAnonymous: true }),
    ...years.map((_, at) => change(owner, noteId, { courseCode: `C${at}` })),
  ])
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200))
  expect(await stored(noteId)).toMatchObject({ is_anonymous: true })
  expect((await test.app.inject({ url: `/api/notes/${noteId}`, headers: other.auth })).json().user).toBeNull()
  await expectNoOrphanedFiles(test)
})

const etagOf = async (noteId: string, user = owner) =>
  (await test.app.inject({ url: `/api/notes/${noteId}`, headers: user.auth })).headers.etag

it('If-Match is the ETag of a note, which its owner and moderators get, and changes with every edit alone', async () => {
  const noteId = await createNote(test, owner, { isAnonymous: true })
  const moderator = await createUser(test, { role: 'moderator' })
  const first = await etagOf(noteId)
  expect([await etagOf(noteId, moderator), await etagOf(noteId, other)]).toEqual([first, undefined])
  expect((await test.app.inject({ url: '/api/notes', headers: other.auth })).body).not.toContain('"version"')
  await patch(test, `/api/notes/${noteId}/rating`, { likes: '+' }, other.auth)
  expect(await etagOf(noteId)).toBe(first)
  const seen = [first]
  const edits = [{ courseCode: 'X1' }, { academicYear: '2024–25' }, { instructor: 'I' }, { isAnonymous: false }]
  for (const changed of edits) {
    const answer = await change(owner, noteId, changed, { 'if-match': seen.at(-1) })
    expect([answer.statusCode, answer.headers.etag]).toEqual([200, `"${answer.json().version}"`])
    seen.push(answer.headers.etag as string)
  }
  expect(new Set(seen).size).toBe(5)
})

it.each([
  ['edit', edit, details],
  ['change', change, { courseCode: 'PHY151' }],
] as const)('If-Match of another version refuses to %s, and changes nothing', async (_what, write, payload) => {
  const noteId = await createNote(test, owner)
  const outdated = await etagOf(noteId)
  await change(owner, noteId, { isAnonymous: true })
  const before = await stored(noteId)
  for (const held of [outdated, '"x"', `W/${await etagOf(noteId)}`, ''])
    expectRefusal(await write(owner, noteId, payload, { 'if-match': held }), 'outdated')
  expect(await stored(noteId)).toEqual(before)
  expectRefusal(await write(other, noteId, payload, { 'if-match': '*' }), 'note_not_found')
  for (const held of [`"x", ${await etagOf(noteId)}`, '*'])
    expect((await write(owner, noteId, payload, { 'if-match': held })).statusCode).toBe(200)
  await expectNoOrphanedFilesAfterSweep(test)
})

it('If-Match accepts one of several simultaneous edits, also where one makes the note anonymous', async () => {
  for (const isAnonymous of [false, true]) {
    const noteId = await createNote(test, owner)
    const headers = { 'if-match': await etagOf(noteId) }
    const answers = await Promise.all([
      edit(owner, noteId, { ...details, isAnonymous, courseCode: 'FIRST' }, headers),
      ...academicYears(new Date(), 8).map((academicYear, at) =>
        change(owner, noteId, { academicYear, courseCode: `C${at}` }, headers),
      ),
    ])
    const [kept, ...others] = answers.toSorted((one, two) => one.statusCode - two.statusCode)
    expect(kept?.statusCode).toBe(200)
    for (const answer of others) expectRefusal(answer, 'outdated')
    expect((await stored(noteId)).course_code).toBe(kept?.json().courseCode)
  }
  await expectNoOrphanedFiles(test)
})

it('simultaneous edits leave one of them, whole', async () => {
  const noteId = await createNote(test, owner)
  const years = academicYears(new Date(), 8)
  const edits = Array.from({ length: 20 }, (_, i) => {
    return { courseCode: `C${i}`, academicYear: years[i % 10], instructor: `I${i}`, isAnonymous: false }
  })
  const answers = await Promise.all(edits.map((payload) => edit(owner, noteId, payload)))
  expect(answers.map((answer) => answer.statusCode)).toEqual(edits.map(() => 200))
  const { course_code: courseCode, academic_year: academicYear, instructor } = await stored(noteId)
  expect(edits).toContainEqual({ courseCode, academicYear, instructor, isAnonymous: false })
})

it('simultaneous edits never show an anonymous note with its original file', async () => {
  const noteId = await createNote(test, owner)
  const { file_key: original } = await documentOf(test, noteId)
  const edits = [true, false, true, false].map((isAnonymous) => edit(owner, noteId, { ...details, isAnonymous }))
  for (const answer of await Promise.all(edits)) expect([200, 503]).toContain(answer.statusCode)
  // Whichever edit was last, the current file was rewritten at least once.
  expect((await documentOf(test, noteId)).file_key).not.toBe(original)
  expect((await view(other, noteId)).statusCode).toBe(200)
  await expectNoOrphanedFiles(test)
})

it('simultaneous edits and a deletion end in no note and no file', async () => {
  for (const isAnonymous of [false, true, true, true]) {
    const noteId = await createNote(test, owner)
    const [edited, deleted] = await Promise.all([
      edit(owner, noteId, { ...details, isAnonymous }),
      test.app.inject({ method: 'DELETE', url: `/api/users/me/notes/${noteId}`, headers: owner.auth }),
    ])
    expect(deleted.statusCode).toBe(204)
    expect([200, 404]).toContain(edited.statusCode)
    expectRefusal(await edit(owner, noteId, details), 'note_not_found')
    await expectNoOrphanedFiles(test)
  }
})

it('simultaneous edits and no reader gets an error', async () => {
  const noteId = await createNote(test, owner)
  const read = async () => {
    for (let i = 0; i < 30; i++) expect((await view(other, noteId)).statusCode).toBe(200)
  }
  // Several edits may make the note anonymous together.
  const anonymise = () => edit(owner, noteId, { ...details, isAnonymous: true })
  const [, , ...edits] = await Promise.all([read(), read(), anonymise(), anonymise(), anonymise(), anonymise()])
  expect(edits.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
  await expectNoOrphanedFiles(test)
})

const getNote = (path: string, headers = other.auth) => test.app.inject({ url: `/api/notes/${path}`, headers })

it('GET /api/notes/{id} answers a note as lists show it, without the author of an anonymous one', async () => {
  const named = await createNote(test, owner)
  const anonymous = await createNote(test, owner, { isAnonymous: true })
  expect((await getNote(named)).json()).toMatchObject({ _id: named, user: { _id: owner.id, name: 'Ada Okafor' } })
  expect((await getNote(anonymous)).json()).toMatchObject({ _id: anonymous, user: null })
  expect((await getNote(anonymous, owner.auth)).json()).toMatchObject({ user: { _id: owner.id } })
})

it('GET /api/notes/{id} refuses ids of no note and what is no id', async () => {
  expectRefusal(await getNote(randomUUID()), 'note_not_found')
  expectRefusal(await getNote('1'), 'invalid_input', 'Invalid UUID')
})

it('GET /api/notes/{id} reveals only to the owner what could not be extracted from the file', async () => {
  const noteId = await createNote(test, owner, { isAnonymous: true })
  const { id } = await documentOf(test, noteId)
  const update = (values: Updateable<Documents>) =>
    test.deps.db.updateTable('documents').set(values).where('id', '=', id).execute()
  const problems = async () => (await getNote(noteId, owner.auth)).json().document.problems
  const picture = { what: 'picture', reason: 'timeout' }
  await update({ text_state: 'failed', text_error: 'locked', thumbnail_state: 'failed', thumbnail_error: 'timeout' })
  expect(await problems()).toEqual([{ what: 'text', reason: 'locked' }, picture])
  await update({ text_state: 'empty', ocr_state: 'pending' })
  expect(await problems()).toEqual([{ what: 'no_text' }, picture])
  await update({ ocr_requested_at: new Date() })
  expect(await problems()).toEqual([{ what: 'no_text_yet' }, picture])
  expect((await getNote(noteId, owner.auth)).json().document.isProcessing).toBe(false)
  expect((await getNote(noteId)).json().document).not.toHaveProperty('problems')
})

it('GET /api/notes/by-id returns the notes in the requested order, without deleted ones', async () => {
  const [first, second] = [await createNote(test, owner), await createNote(test, owner)]
  const response = await getNote(`by-id?ids=${second},${randomUUID()},${first}`)
  expect(response.json().notes.map((note: { _id: string }) => note._id)).toEqual([second, first])
})

it.each([
  ['nothing', ''],
  ['what is no id', 'x'],
  ['too many', Array.from({ length: 2 * pageSize + 1 }, () => randomUUID()).join()],
])('GET /api/notes/by-id refuses %s', async (_, ids) => {
  expect((await expectStatus(400, getNote(`by-id?ids=${ids}`))).json().code).toBe('invalid_input')
})

const { db } = test.deps
const [author, reader] = await Promise.all([createUser(test), createUser(test)])
const remove = (user: TestUser, noteId: string) => send(test, `/api/users/me/notes/${noteId}`, user.auth)
const isThere = async (noteId: string) =>
  (await db.selectFrom('notes').select('id').where('id', '=', noteId).execute()).length === 1

it('DELETE /api/users/me/notes/{id} deletes a note with its file, its ratings and every trace in the lists of others', async () => {
  const [noteId, kept] = [await createNote(test, author), await createNote(test, author)]
  await rate(test, reader, noteId, { likes: '+' })
  await patch(test, '/api/users/me', { recentlyViewedNotes: [noteId, kept] }, reader.auth)
  const response = await remove(author, noteId)
  expect([response.statusCode, response.body]).toEqual([204, ''])
  expectRefusal(await view(author, noteId), 'note_not_found')
  expect(await db.selectFrom('ratings').selectAll().where('note_id', '=', noteId).execute()).toEqual([])
  const none = { likedNotes: [], likedNotesDisplay: [] }
  expect((await getMe(test, reader.auth)).json().user).toMatchObject({ ...none, recentlyViewedNotes: [{ _id: kept }] })
  expect((await get(test, '/api/users/me/notes/liked', reader.auth)).json().notes).toEqual([])
  await expectNoOrphanedFiles(test)
})

it('DELETE /api/users/me/notes/{id} deletes once, even in many simultaneous requests', async () => {
  const noteId = await createNote(test, author)
  const answers = await Promise.all(Array.from({ length: 100 }, () => remove(author, noteId)))
  expect(answers.map((answer) => answer.statusCode).sort()).toEqual([204, ...Array.from({ length: 99 }, () => 404)])
  await expectNoOrphanedFiles(test)
})

it('DELETE /api/users/me/notes/{id} deletes a note that is becoming anonymous, with its new file', async () => {
  const noteId = await createNote(test, author)
  const { id: replacedDocumentId } = await documentOf(test, noteId)
  const fileKey = newFileKey()
  await putBytes(test.deps.files, fileKey, onePagePdf)
  const details = { courseCode: 'MAT137', academicYear: '2025–26', isAnonymous: true }
  const document = { fileKey, bytes: onePagePdf.length, sha256: Buffer.alloc(32), pageCount: 1, drawnPages: [] }
  const deletion = await whileLocked(test, {
    async hold(tx) {
      const anonymised = { replacedDocumentId, document }
      expect(await updateOwnNote(tx, author.id, noteId, details, { anonymised })).toBe(true)
    },
    ask: () => remove(author, noteId),
  })
  expect(deletion.statusCode).toBe(204)
  expect(await isThere(noteId)).toBe(false)
  await expectNoOrphanedFilesAfterSweep(test)
})

it('DELETE /api/users/me/notes/{id} refuses another student, as if there were no such note', async () => {
  for (const isAnonymous of [false, true]) {
    const noteId = await createNote(test, author, { isAnonymous })
    const theirs = await remove(reader, noteId)
    expectRefusal(theirs, 'note_not_found')
    expect(theirs.body).toBe((await remove(reader, crypto.randomUUID())).body)
    expect((await view(author, noteId)).statusCode).toBe(200)
  }
  await expectNoOrphanedFiles(test)
})

it('DELETE /api/users/me/notes/{id} is done although the storage fails: the sweep removes the file', async () => {
  const noteId = await createNote(test, author)
  const { files } = test.deps
  test.deps.files = { ...files, delete: () => Promise.reject(new Error('The disk is away')) }
  expect((await remove(author, noteId)).statusCode).toBe(204)
  test.deps.files = files
  expect(await isThere(noteId)).toBe(false)
  await expectNoOrphanedFilesAfterSweep(test)
})

it.each([
  ['Linear Algebra.pdf', 'Linear Algebra'],
  ['notes.PDF', 'notes'],
  ['a.pdf.html', 'a.pdf.html'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\ana\\week 1.pdf', 'week 1'],
  ['.pdf', 'Untitled'],
  ['', 'Untitled'],
  ['two\r\nlines\u0000.pdf', 'two lines'],
  ['\u202egnp.pdf\u200b', 'gnp'],
  ['📚 notes "final".pdf', '📚 notes "final"'],
  [`${'x'.repeat(300)}.pdf`, 'x'.repeat(200)],
])('a title: calls %j %j', (fileName, title) => {
  expect(createTitle(fileName)).toBe(title)
})

it.each([
  ['Zyxwvut_Canaryname_MAT137', 'MAT137'],
  ['MAT137 (zyxwvut canaryname)', 'MAT137'],
  ['zyxwvutcanaryname-week3', 'week3'],
  ['MAT137 by ZYXWVUT – final', 'MAT137 by – final'],
  ['z.canary notes', 'notes'],
  ['Zyxwvut', 'Untitled'],
  ['Linear Algebra (week 1)', 'Linear Algebra (week 1)'],
  ['Z\u200byxwvut', 'Untitled'],
  ['Zyx\u200dwvut c\u00adanaryname w1', 'w1'],
  ['Zyx-wvut Canary-name', 'Untitled'],
  ['Zyx wvut2024 hw', 'hw'],
  ['z y x w v u t hw', 'hw'],
  ['Z. Canaryname hw', 'hw'],
  ['hw Canaryname, Z.', 'hw'],
  ['hw Zyxwvut Q. Canaryname', 'hw'],
  ['Canaryname Z', 'Untitled'],
  ['zyxwvut_canary@uni.example', 'Untitled'],
  ['from z.canary@UNI.example 2', 'from 2'],
  ['ask noor@uni.example', 'ask noor@uni.example'],
  // The letter is not an initial of the author.
  ['Algebra I (Canaryname) B', 'Algebra I B'],
  ['Q. notes', 'Q. notes'],
])('a title: takes the author out of %j', (title, anonymous) => {
  expect(removeAuthorWords(title, { name: 'Zyxwvut Cánaryname', email: 'z.canary@uni.example' })).toBe(anonymous)
})

it.each([
  ['1234567_hw3', 'hw3'],
  ['hw3 s1234567', 'hw3'],
  ['MinaLiWeek3', 'Untitled'],
  ['LiMina-week 3', 'week 3'],
  ['week 3 mi li', 'week 3 mi'],
  ['Limits and lines', 'Limits and lines'],
  ['MÏNA', 'Untitled'],
  ['m i n a', 'Untitled'],
  ['term in a nutshell', 'term in a nutshell'],
  ['l i week 3', 'l i week 3'],
])('a title: takes a short name and a student number out of %j', (title, anonymous) => {
  expect(removeAuthorWords(title, { name: 'Mina Li', email: 's1234567@uni.example' })).toBe(anonymous)
})

it.each([
  ...['O Neil w', 'O\u00adNeil w', 'o_neil w', 'ONeil w', 'O’Neil w'],
  ...['Anne Marie w', 'annemarie-oneil w', 'A. M. O’Neil w'],
])('a title: takes a name that is spelled in parts out of %j', (title) => {
  expect(removeAuthorWords(title, { name: "Anne-Marie O'Neil", email: 'amoneil99@uni.example' })).toBe('w')
})
