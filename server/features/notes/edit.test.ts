import { expect, it } from 'vitest'
import { z } from 'zod'
import { messages } from '../../../packages/contract/fields.ts'
import { academicYears, formatAcademicYear } from '../../../packages/contract/limits.ts'
import { note as noteSchema } from '../../../packages/contract/notes.ts'
import { createNote, createUser, openTestApp, type TestUser } from '../../testing/app.ts'
import { onePagePdf } from '../../testing/pdf.ts'
import { lockedPdf } from '../../testing/pdf-kinds.ts'
import { expectRefusal } from '../../testing/refusal.ts'
import { expectNoOrphanedFiles, expectNoOrphanedFilesAfterSweep } from '../../testing/storage-assertions.ts'
import { documentOf } from '../../testing/stored-files.ts'
import { patch } from '../../testing/students.ts'
import { setRole } from '../auth/roles/roles.ts'

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
  const response = await edit(owner, noteId, { ...details, courseCode: ' phy 151 ' })
  expect(response.statusCode).toBe(200)
  const note = z.strictObject(noteSchema.shape).parse(response.json())
  expect(note).toEqual({
    ...details,
    ...{ _id: noteId, title: 'Optics', courseCode: 'PHY 151', createdAt, likes: 3, dislikes: 0 },
    user: { _id: owner.id, name: 'Ada Okafor' },
    document: { bytes: onePagePdf.length, pageCount: 1, thumbnail: null, isProcessing: true },
    version: expect.stringMatching(/^[\w-]{22}$/),
  })
  expect(await find('courseCode=phy151&instructor=noor')).toEqual([note])
  expect(await find('instructor=old')).toEqual([])
})

it('PATCH /api/users/me/notes/{id} keeps a year that is offered no more', async () => {
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

const required = 'Please fill in all required fields.'
const badYear = 'Choose an academic year like 2026–27.'
const nextYear = formatAcademicYear(Number((academicYears(new Date(), 8)[0] ?? '').slice(0, 4)) + 1)
const cases: [string, object, string][] = [
  ['no course code', { ...details, courseCode: undefined }, required],
  ['a year to come', { ...details, academicYear: nextYear }, badYear],
  ['a year long past', { ...details, academicYear: '1066–67' }, badYear],
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

const refused: [string, object, string][] = [
  ['nothing', {}, messages.changeSomething],
  ['a title alone', { title: 'New' }, messages.changeSomething],
]
it.each(refused)('PATCH /api/users/me/notes/{id}/details refuses %s', async (_what, payload, message) => {
  const noteId = await createNote(test, owner, before)
  const stays = await stored(noteId)
  const response = await change(owner, noteId, payload)
  expectRefusal(response, 'invalid_input', message)
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
  const moderator = await createUser(test)
  await setRole(test.deps, moderator.email, 'moderator')
  const first = await etagOf(noteId)
  expect([await etagOf(noteId, moderator), await etagOf(noteId, other)]).toEqual([first, undefined])
  const theirs = await test.app.inject({ url: '/api/notes', headers: other.auth })
  expect(theirs.body).not.toContain('"version"')
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
  for (const held of [outdated, '"x"', `W/${await etagOf(noteId)}`, '']) {
    expectRefusal(await write(owner, noteId, payload, { 'if-match': held }), 'outdated')
  }
  expect(await stored(noteId)).toEqual(before)
  expectRefusal(await write(other, noteId, payload, { 'if-match': '*' }), 'note_not_found')
  for (const held of [`"x", ${await etagOf(noteId)}`, '*']) {
    expect((await write(owner, noteId, payload, { 'if-match': held })).statusCode).toBe(200)
  }
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
  const answers = await Promise.all(
    [true, false, true, false].map((isAnonymous) => edit(owner, noteId, { ...details, isAnonymous })),
  )
  for (const answer of answers) expect([200, 503]).toContain(answer.statusCode)
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
