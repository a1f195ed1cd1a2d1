import { randomUUID } from 'node:crypto'
import { afterEach, expect, it } from 'vitest'
import type { Note } from '../../../packages/contract/notes.ts'
import { buildApp } from '../../app.ts'
import { createNote, createUser, openTestApp, type TestUser } from '../../testing/app.ts'
import { canary, expectNoLeak, findTraces } from '../../testing/canary.ts'
import { field, file, goodFields, makeForm, upload, uploadNote } from '../../testing/form.ts'
import { recordLog } from '../../testing/log.ts'
import {
  createPdfToRasterise,
  createPdfWithAuxiliaryText,
  createPdfWithText,
  pdfByAuthor,
} from '../../testing/pdf-kinds.ts'
import { recordRequestSql } from '../../testing/record-request-sql.ts'
import { expectNoOrphanedFilesAfterSweep } from '../../testing/storage-assertions.ts'
import { documentOf, untilProcessed } from '../../testing/stored-files.ts'
import { logIn, makeAnonymous, patch, post, rate, remove } from '../../testing/students.ts'

const test = await openTestApp()
const { db } = test.deps
const get = (user: TestUser, url: string, headers = {}) =>
  test.app.inject({ url, headers: { ...user.auth, ...headers } })
const anonymous = (...files: ReturnType<typeof file>[]) => [...goodFields, field('isAnonymous', 'true'), ...files]
const details = { courseCode: 'MAT137', academicYear: '2025–26' }

/** Requests every response about a note that a reader can get, one after the other. */
async function askForEverything(reader: TestUser, noteId: string) {
  const lists = ['/api/notes', '/api/users/me/notes', '/api/users/me/notes/liked']
  const answers = [
    await patch(test, '/api/users/me', { recentlyViewedNotes: [noteId] }, reader.auth),
    await rate(test, reader, noteId, { likes: '+' }),
    await get(reader, '/api/users/me'),
    await logIn(test, reader.email),
    await get(reader, `/api/notes/${noteId}/view`),
    await get(reader, `/api/notes/${noteId}/view`, { range: 'bytes=0-99' }),
    await get(reader, `/api/notes/${noteId}/view`, { range: 'bytes=99999999-' }),
    await get(reader, `/api/notes/${noteId}/view`, { 'if-none-match': '*' }),
    await patch(test, `/api/users/me/notes/${noteId}`, { ...details, isAnonymous: false }, reader.auth),
    await patch(test, `/api/users/me/notes/${noteId}`, {}, reader.auth),
    await rate(test, reader, noteId, {}),
    await remove(test, `/api/users/me/notes/${noteId}`, reader.auth),
  ]
  for (const list of lists)
    for (const query of ['', 'title=MAT137', 'sortBy=likes', 'courseCode=mat', 'academicYear=2025-26', 'title='])
      answers.push(await get(reader, `${list}?${query}`))
  return answers
}

const findInList = async (user: TestUser, noteId: string) =>
  (await get(user, '/api/notes')).json<{ notes: Note[] }>().notes.find((note) => note._id === noteId)

afterEach(async () => {
  const authors = db.selectFrom('users').select('id').where('name', '=', canary.name)
  await db.deleteFrom('notes').where('user_id', 'in', authors).execute()
  await expectNoOrphanedFilesAfterSweep(test)
  await db.deleteFrom('users').where('name', '=', canary.name).execute()
})

it('reveals the author of an anonymous upload in no byte of any response', async () => {
  const [owner, reader] = await Promise.all([createUser(test, canary), createUser(test, { name: 'Ben' })])
  const content = pdfByAuthor('Zyxwvut Q\\344narywoman')
  const fileName = 'Zyxwvut_Qanarywoman_MAT137 (tweetytweet7).pdf'
  const { _id: noteId } = await uploadNote(test, owner, content, { fileName, isAnonymous: true })
  for (const answer of await askForEverything(reader, noteId)) {
    expectNoLeak(owner, answer)
    expect(Object.keys(answer.headers).filter((name) => /rate-?limit|quota/i.test(name))).toEqual([])
  }
  expect(await findInList(reader, noteId)).toMatchObject({ title: 'MAT137', isAnonymous: true, user: null, likes: 1 })
})

it('finds what it looks for: a note with its author leaves traces', async () => {
  const [owner, reader] = await Promise.all([createUser(test, canary), createUser(test)])
  const { _id: noteId } = await uploadNote(test, owner, pdfByAuthor('Zyxwvut Q\\344narywoman'))
  expect(findTraces(owner, await get(reader, '/api/notes'))).toEqual(expect.arrayContaining([owner.id, owner.name]))
  expect(findTraces(owner, await get(reader, `/api/notes/${noteId}/view`))).toContain('Zyxwvut')
})

it('shows the author their own anonymous notes as theirs', async () => {
  const owner = await createUser(test, { name: 'Ada Okafor' })
  const { _id: noteId, user } = await uploadNote(test, owner, undefined, { isAnonymous: true })
  expect(user).toEqual({ _id: owner.id, name: 'Ada Okafor' })
  for (const list of ['/api/notes', '/api/users/me/notes']) {
    const { notes } = (await get(owner, list)).json<{ notes: Note[] }>()
    expect(notes.find((note) => note._id === noteId)).toMatchObject({ user: { _id: owner.id }, isAnonymous: true })
  }
})

it('removes the author from a note that becomes anonymous after others have read it', async () => {
  const [owner, reader] = await Promise.all([createUser(test, canary), createUser(test)])
  const content = pdfByAuthor('Zyxwvut Q\\344narywoman')
  const { _id: noteId } = await uploadNote(test, owner, content, { fileName: 'Qänarywoman week 3.pdf' })
  await askForEverything(reader, noteId)
  const before = await get(reader, `/api/notes/${noteId}/view`)
  const { file_key: oldKey } = await documentOf(test, noteId)
  const flipped = await patch(test, `/api/users/me/notes/${noteId}`, { ...details, isAnonymous: true }, owner.auth)
  expect(flipped.json()).toMatchObject({ isAnonymous: true, title: 'week 3', user: { _id: owner.id } })
  const after = await get(reader, `/api/notes/${noteId}/view`, { 'if-none-match': String(before.headers.etag) })
  expect(after.statusCode).toBe(200)
  expect(after.headers.etag).not.toBe(before.headers.etag)
  for (const answer of await askForEverything(reader, noteId)) expectNoLeak(owner, answer)
  const me = (await get(reader, '/api/users/me')).json().user
  const hidden = [{ _id: noteId, user: null }]
  expect(me).toMatchObject({ likedNotesDisplay: hidden, recentlyViewedNotes: hidden })
  expect(await test.deps.files.get(oldKey)).toBeNull()
  await untilProcessed(test)
  await expectNoOrphanedFilesAfterSweep(test)
})

it.each([
  ['Zyxwvut Q\\344narywoman', 'Graph by Q\\344narywoman, Zyxwvut', 'zq.tweetytweet7-'],
  ['HW1_qanarywoman.docx', 'a sketch of ZYXWVUT', 'tweetytweet7 '],
])('leaves out what names the author beside the pages: %j', async (...texts) => {
  const [owner, reader] = await Promise.all([createUser(test, canary), createUser(test)])
  const view = async (noteId: string) => get(reader, `/api/notes/${noteId}/view`)
  const content = createPdfWithAuxiliaryText(...texts)
  const { _id: first } = await uploadNote(test, owner, content, { isAnonymous: true })
  const { _id: second } = await uploadNote(test, owner, content)
  expect(findTraces(owner, await view(second))).not.toEqual([])
  await makeAnonymous(test, owner, second)
  for (const noteId of [first, second]) {
    const answer = await view(noteId)
    expectNoLeak(owner, answer)
    // Copies contain their texts as hexadecimal digits.
    const texts = answer.rawPayload.toString('latin1').matchAll(/<([\da-f]+)>/gi)
    const said = [...texts].map(([, digits = '']) => Buffer.from(digits, 'hex').toString('latin1')).join('\n')
    expect(said).toContain('Contents')
    expect(said).not.toMatch(/zyx|narywoman|tweety/i)
  }
})

it('reveals nothing about notes that were uploaded together, or the same bytes in a named note', async () => {
  const [owner, reader] = await Promise.all([createUser(test), createUser(test)])
  const three = ['one', 'two', 'three'].map((text) => file(createPdfWithText(text), `${text}.pdf`))
  const together: Note[] = (await upload(test, owner, anonymous(...three))).json().notes
  const byName = await uploadNote(test, owner, createPdfWithText('one'), { fileName: 'one.pdf' })
  const ids = [...together, byName].map(({ _id }) => _id)
  await patch(test, `/api/users/me/notes/${ids[1]}`, { ...details, isAnonymous: false }, owner.auth)
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  const views = await Promise.all(ids.map((id) => get(reader, `/api/notes/${id}/view`)))
  expect(new Set(views.map((view) => view.headers.etag)).size).toBe(4)
  expect(views.map((view) => view.headers['last-modified'])).toEqual([undefined, undefined, undefined, undefined])
  expect(views[0]?.headers['content-length']).not.toBe(views[3]?.headers['content-length'])
  const rows = await Promise.all(ids.map((id) => documentOf(test, id)))
  for (const { file_key } of rows) expect(file_key).toMatch(/^[\da-f]{32}$/)
  // The keys share no prefix, unlike keys made from a clock or a counter.
  expect(new Set(rows.map((row) => row.file_key.slice(0, 8))).size).toBe(4)
})

it('accepts from another student a file that someone shared anonymously, without a hint', async () => {
  const [owner, reader] = await Promise.all([createUser(test), createUser(test)])
  const content = createPdfWithText('the same')
  await uploadNote(test, owner, content, { isAnonymous: true })
  const { _id: noteId } = await uploadNote(test, owner, content, { isAnonymous: true })
  const rewritten = (await get(reader, `/api/notes/${noteId}/view`)).rawPayload
  for (const bytes of [content, rewritten]) {
    const response = await upload(test, reader, [...goodFields, file(bytes)])
    expect(response.statusCode).toBe(201)
    expect(Object.keys(response.json())).toEqual(['notes'])
  }
})

const drawnPagesOf = async (user: TestUser, noteId: string) => (await findInList(user, noteId))?.document.drawnPages

it('tells the owner alone which pages became pictures when a note is shared anonymously', async () => {
  const [owner, reader] = await Promise.all([createUser(test, canary), createUser(test)])
  const content = createPdfToRasterise('Zyxwvut Q\\344narywoman')
  const { _id: noteId, document } = await uploadNote(test, owner, content, { isAnonymous: true })
  expect(document.drawnPages).toEqual([2])
  expect([await drawnPagesOf(owner, noteId), await drawnPagesOf(reader, noteId)]).toEqual([[2], undefined])
  const file = await get(reader, `/api/notes/${noteId}/view`)
  expect(file.rawPayload.toString('latin1')).toMatch(/^%PDF-/)
  expectNoLeak(owner, file)
})

it('tells the owner which pages became pictures when a note becomes anonymous, but not while it is named', async () => {
  const owner = await createUser(test, canary)
  const { _id: noteId, document } = await uploadNote(test, owner, createPdfToRasterise(canary.name))
  expect(document).not.toHaveProperty('drawnPages')
  await makeAnonymous(test, owner, noteId)
  expect(await drawnPagesOf(owner, noteId)).toEqual([2])
})

it('answers a search for the author like one for an unknown name', async () => {
  const [owner, reader] = await Promise.all([createUser(test, canary), createUser(test)])
  const fileName = 'Zyxwvut Qänarywoman tweetytweet7 sums.pdf'
  await uploadNote(test, owner, pdfByAuthor('Zyxwvut'), { fileName, isAnonymous: true })
  await untilProcessed(test)
  const search = async (query: string) => (await get(reader, `/api/notes?${query}`)).body
  const nothing = await search('title=nobodycalledthis')
  expect(JSON.parse(nothing)).toEqual({ notes: [], hasMore: false })
  for (const word of ['Zyxwvut', 'Qänarywoman', 'qanary', 'tweetytweet7', owner.id, owner.email])
    for (const name of ['title', 'instructor'])
      expect(await search(`${name}=${encodeURIComponent(word)}`)).toBe(nothing)
  expect(await search('courseCode=zyxwvut')).toBe(nothing)
  const everything = await search('')
  for (const name of ['user', 'userId', 'user_id', 'user._id', 'author', 'name', 'email', 'isAnonymous', 'q'])
    for (const value of [owner.id, owner.name, 'x'])
      expect(await search(`${name}=${encodeURIComponent(value)}`)).toBe(everything)
})

it('contains no name where a call about an anonymous note fails (A13)', async () => {
  const [owner, reader] = await Promise.all([createUser(test, canary), createUser(test)])
  const { _id: noteId } = await uploadNote(test, owner, undefined, { isAnonymous: true })
  const { file_key: key } = await documentOf(test, noteId)
  await test.deps.files.delete(key)
  const answers = [
    await get(reader, `/api/notes/${noteId}/view`),
    await rate(test, reader, noteId, { likes: '++' }),
    await patch(test, `/api/users/me/notes/${noteId}`, { ...details, padding: 'x'.repeat(100_000) }, reader.auth),
    await patch(test, `/api/users/me/notes/${noteId}`, { ...details, isAnonymous: false }, reader.auth),
    await post(test, `/api/notes/${noteId}/view`, undefined, reader.auth),
    await test.app.inject({ url: `/api/notes/${noteId}` }),
  ]
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([500, 400, 413, 404, 404, 401])
  for (const answer of answers) expectNoLeak(owner, answer)
  await remove(test, `/api/users/me/notes/${noteId}`, owner.auth)
})

it('sends the same SQL for another user’s anonymous note as for none (A14)', async () => {
  const [owner, reader] = await Promise.all([createUser(test, canary), createUser(test)])
  const noteId = await createNote(test, owner, { isAnonymous: true })
  async function statementsOf(id: string) {
    const edit = { ...details, isAnonymous: false }
    const send = () => patch(test, `/api/users/me/notes/${id}`, edit, reader.auth)
    const { response, texts } = await recordRequestSql(send)
    return { status: response.statusCode, body: response.body, texts: texts.filter((text) => /\bnotes\b/.test(text)) }
  }
  const ofAnother = await statementsOf(noteId)
  expect(ofAnother).toMatchObject({ status: 404, texts: [expect.any(String)] })
  expect(await statementsOf(randomUUID())).toEqual(ofAnother)
})

it('logs nothing that ties a student to an anonymous note', async () => {
  const owner = await createUser(test, canary)
  const { lines, log } = recordLog('info')
  const app = await buildApp({ ...test.deps, log }, log)
  const files = [file(), file(createPdfWithAuxiliaryText(owner.name, owner.name, 'tweety'))]
  const { payload, headers } = makeForm(anonymous(...files))
  const send = (method: 'POST' | 'PATCH' | 'DELETE' | 'GET', url: string, body?: object | Buffer, more = {}) =>
    app.inject({ method, url, headers: { ...owner.auth, ...more }, ...(body && { payload: body }) })
  const [{ _id: noteId }] = (await send('POST', '/api/notes', payload, headers)).json().notes
  await send('GET', `/api/notes?title=${encodeURIComponent(owner.name)}`)
  await send('GET', `/api/notes/${noteId}/view`)
  await send('PATCH', `/api/users/me/notes/${noteId}`, { ...details, isAnonymous: true })
  await send('PATCH', `/api/users/me/notes/${noteId}`, {})
  await send('DELETE', `/api/users/me/notes/${noteId}`)
  await app.close()
  expect(lines.some((line) => line.includes(noteId))).toBe(true)
  const all = lines.join('').toLowerCase()
  const { id, sessionId, name, email, auth } = owner
  for (const trace of [id, sessionId, name, email, 'zyxwvut', 'tweety', auth.authorization])
    expect(all).not.toContain(trace.toLowerCase())
})
