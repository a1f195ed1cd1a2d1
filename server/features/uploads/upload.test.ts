import { createHash } from 'node:crypto'
import { describe, expect } from 'vitest'
import { z } from 'zod'
import type { ErrorCode } from '../../../packages/contract/errors.ts'
import { academicYears, formatAcademicYear } from '../../../packages/contract/limits.ts'
import { note as noteSchema } from '../../../packages/contract/notes.ts'
import { makeEncryptedFile } from '../../../packages/pdfium/test/hostile-files.ts'
import { createNote, createUser, itWithUsers, openTestApp, type TestUser } from '../../testing/app.ts'
import { field, file, goodFields, type Part, upload, uploadNote } from '../../testing/form.ts'
import { onePagePdf } from '../../testing/pdf.ts'
import { createPdfWithText, lockedPdf } from '../../testing/pdf-kinds.ts'
import { expectRefusal, expectStatus } from '../../testing/refusal.ts'
import { expectNoOrphanedFiles, expectNothingKept } from '../../testing/storage-assertions.ts'
import { documentOf } from '../../testing/stored-files.ts'
import { get, patch } from '../../testing/students.ts'

const test = await openTestApp()
const it = itWithUsers(test)
const view = async (user: TestUser, noteId: string) =>
  (await get(test, `/api/notes/${noteId}/view`, user.auth)).rawPayload

describe('POST /api/notes', () => {
  it('keeps a PDF as a note, byte for byte', async () => {
    const user = await createUser(test, { name: 'Ada Okafor' })
    const content = createPdfWithText('Eigenvalues')
    const fields = { courseCode: ' mat137 ', academicYear: '2025-26', instructor: '  Dr. Noor  ', isAnonymous: 'false' }
    const sent = Object.entries(fields).map(([name, value]) => field(name, value))
    const response = await expectStatus(201, upload(test, user, [...sent, file(content, 'Linear Algebra.pdf')]))
    const { notes } = response.json()
    expect(notes).toHaveLength(1)
    const facts = { title: 'Linear Algebra', courseCode: 'MAT137', academicYear: '2025–26', instructor: 'Dr. Noor' }
    const others = { isAnonymous: false, user: { _id: user.id, name: 'Ada Okafor' }, likes: 0, dislikes: 0 }
    expect(z.strictObject(noteSchema.shape).parse(notes[0])).toMatchObject({ ...facts, ...others })
    expect(await view(user, notes[0]._id)).toEqual(content)
    const sha256 = createHash('sha256').update(content).digest()
    expect(await documentOf(test, notes[0]._id)).toMatchObject({ bytes: content.length, sha256, page_count: 1 })
    await expectNoOrphanedFiles(test)
  })

  it('makes one note of each file, in the order of the files, wherever the fields stand', async ({ user }) => {
    const names = ['one', 'two', 'three', 'four', 'five']
    const files = names.map((name) => file(createPdfWithText(name), `${name}.pdf`))
    const response = await expectStatus(201, upload(test, user, [...files, ...goodFields]))
    const { notes } = response.json()
    expect(notes.map((note: { title: string }) => note.title)).toEqual(names)
    for (const [at, name] of names.entries()) expect(await view(user, notes[at]._id)).toEqual(createPdfWithText(name))
    await expectNoOrphanedFiles(test)
  })

  it('stores what is encrypted and opens for everybody all the same, as it is', async ({ user }) => {
    const content = Buffer.from(await makeEncryptedFile(''))
    expect(await view(user, (await uploadNote(test, user, content))._id)).toEqual(content)
  })

  it.for(['', '   '])('leaves out the instructor %j', async (instructor, { user }) => {
    const response = await upload(test, user, [...goodFields, field('instructor', instructor), file()])
    expect(response.statusCode).toBe(201)
    expect(response.json().notes[0]).not.toHaveProperty('instructor')
  })

  it('ignores parts it does not know, and takes no other value of a note from them', async ({ user, other }) => {
    const extra = { _id: crypto.randomUUID(), user: other.id, user_id: other.id, likes: '999', note: 'x' }
    const parts = Object.entries(extra).map(([name, value]) => field(name, value))
    const named = file(onePagePdf, 'Real title.pdf')
    const response = await expectStatus(201, upload(test, user, [...goodFields, ...parts, named]))
    const [kept] = response.json().notes
    expect(kept).toMatchObject({ title: 'Real title', likes: 0, user: { _id: user.id } })
    expect(kept._id).not.toBe(extra._id)
  })

  it.for([
    ['two\r\nSet-Cookie: x=1.pdf', 'two Set-Cookie: x=1'],
    ['📚 “final” "v2".pdf', '📚 “final” "v2"'],
  ])('takes the file name %j for the title %j', async ([fileName, title], { user }) => {
    expect((await uploadNote(test, user, onePagePdf, { fileName })).title).toBe(title)
    await expectNoOrphanedFiles(test)
  })
})

describe('POST /api/notes refuses, and keeps nothing', async () => {
  const required = 'Please fill in all required fields.'
  const nextYear = formatAcademicYear(Number((academicYears(new Date(), 8)[0] ?? '').slice(0, 4)) + 1)
  const badYear = 'Choose an academic year like 2026–27.'
  const any = expect.any(String)
  const course = (...codes: string[]) => [...goodFields.slice(1), ...codes.map((code) => field('courseCode', code))]
  const year = (...years: string[]) => [...goodFields.slice(0, 1), ...years.map((one) => field('academicYear', one))]
  const more = (name: string, ...values: string[]) => [...goodFields, ...values.map((value) => field(name, value))]
  const badFields: [string, Part[], Record<string, string>][] = [
    ['no course code', course(), { courseCode: required }],
    ['a course code of signs', course('--'), { courseCode: any }],
    ['a long course code', course('X'.repeat(33)), { courseCode: any }],
    ['a course code sent twice', course('A', 'B'), { courseCode: required }],
    ['no academic year', year(), { academicYear: required }],
    ['years that do not follow', year('2025–27'), { academicYear: badYear }],
    ['a year to come', year(nextYear), { academicYear: badYear }],
    ['a year long past', year('1066–67'), { academicYear: badYear }],
    ['a title that shows nothing', more('title', '\u200b\u2800'), { title: required }],
    ['a long title', more('title', 'x'.repeat(201)), { title: 'Use at most 200 characters.' }],
    ['a long instructor', more('instructor', 'x'.repeat(101)), { instructor: any }],
    ['a huge instructor', more('instructor', 'x'.repeat(20_000)), { instructor: any }],
    ['another isAnonymous', more('isAnonymous', 'yes'), { isAnonymous: any }],
    ['an empty isAnonymous', more('isAnonymous', ''), { isAnonymous: any }],
    ['isAnonymous sent twice', more('isAnonymous', 'true', 'false'), { isAnonymous: any }],
  ]
  it.for(badFields)('%s', async ([_what, fields, problems], { user }) => {
    const response = await upload(test, user, [file(), ...fields])
    const { message, ...body } = response.json()
    expect(response.statusCode).toBe(400)
    expect(body).toEqual({ code: 'invalid_input', fields: problems })
    // The message is that of the first field, so that a toast can show it.
    expect(message).toBe(Object.values(body.fields)[0])
    await expectNothingKept(test, user.id)
  })

  const notPdfs: [string, Uint8Array][] = [
    ['nothing', Buffer.alloc(0)],
    ['a web page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a header alone', Buffer.from('%PDF-1.7\n')],
    ['a PDF behind a web page', Buffer.concat([Buffer.from('<script>alert(1)</script>\n'), onePagePdf])],
    ['a PDF cut in half', onePagePdf.subarray(0, 200)],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
  ]
  const anonymous = field('isAnonymous', 'true')
  const noPdf = (name: string) => `Only PDF files can be uploaded. “${name}” isn’t a readable PDF.`
  const locked = '“exam” is password-protected. Remove the password and upload it again.'
  const cannotAnonymise = '“exam” can’t be uploaded anonymously because it’s locked or damaged.'
  const encrypted = [anonymous, file(await makeEncryptedFile(''), 'exam.pdf')]
  const fiveWith = (bad: number) =>
    [0, 1, 2, 3, 4].map((at) => file(at === bad ? Buffer.from('no') : createPdfWithText(`${at}`), `f${at}.pdf`))
  it.each<[string, Part[], ErrorCode, string?]>([
    ['no file', [], 'upload_without_file'],
    ['a text for a file', [field('note', 'a text')], 'upload_without_file'],
    ...notPdfs.map(([what, content]): [string, Part[], ErrorCode, string] => {
      return [`${what} called a PDF`, [file(content, 'week 1.pdf')], 'upload_not_pdf', noPdf('week 1')]
    }),
    ...[0, 2, 4].map((bad): [string, Part[], ErrorCode, string] => {
      return [`five files of which number ${bad} is no PDF`, fiveWith(bad), 'upload_not_pdf', noPdf(`f${bad}`)]
    }),
    ...[lockedPdf(), await makeEncryptedFile('secret')].flatMap((content): [string, Part[], ErrorCode, string][] => [
      ['a file that opens with a password only', [file(), file(content, 'exam.pdf')], 'upload_locked', locked],
      ['the same, anonymously', [anonymous, file(), file(content, 'exam.pdf')], 'upload_locked', locked],
    ]),
    ['what is encrypted, anonymously, though it opens for everybody', encrypted, 'cannot_anonymise', cannotAnonymise],
    ['a file under another name', [file(), { name: 'avatar', content: onePagePdf }], 'malformed_request'],
    ...['__proto__', 'constructor', 'toString'].flatMap((name): [string, Part[], ErrorCode][] => [
      [`a part called ${name}`, [field(name, 'x'), file()], 'malformed_request'],
      [`a part called ${name} without a value`, [{ name }, file()], 'malformed_request'],
    ]),
  ])('%s', async (_what, parts, code, message) => {
    const user = await createUser(test)
    expectRefusal(await upload(test, user, [...goodFields, ...parts]), code, message)
    await expectNothingKept(test, user.id)
  })

  it('fields sent as JSON', async ({ user }) => {
    const header = 'Content-Disposition: form-data; name="courseCode"\r\nContent-Type: application/json'
    const json = { header, body: '{"a":1}' }
    const response = await expectStatus(400, upload(test, user, [json, field('academicYear', '2025–26'), file()]))
    expect(response.json()).toMatchObject({ code: 'invalid_input', fields: { courseCode: required } })
    await expectNothingKept(test, user.id)
  })
})

describe('POST /api/notes refuses a body that is no form', () => {
  const send = (user: TestUser, type: string, payload: string | Buffer) =>
    test.app.inject({ method: 'POST', url: '/api/notes', headers: { ...user.auth, 'content-type': type }, payload })

  it.each([
    ...['application/json', 'text/plain', 'application/x-www-form-urlencoded'],
    ...['application/pdf', 'application/octet-stream'],
  ])('%s', async (type) => {
    const user = await createUser(test)
    expectRefusal(await send(user, type, '{}'), 'unsupported_media_type')
    await expectNothingKept(test, user.id)
  })

  const noteHead = 'Content-Disposition: form-data; name="note"\r\nContent-Type: application/octet-stream'
  const fileHead = 'Content-Disposition: form-data; filename="a.pdf"'
  it.each<[string, string, string?]>([
    ['no boundary', 'x', 'multipart/form-data'],
    ['an empty boundary', 'x', 'multipart/form-data; boundary='],
    ['another boundary', '--B\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n--B--\r\n'],
    ['a part that breaks off', `--A\r\n${fileHead}; name="note"\r\n\r\n%PDF-1.7`],
    ['a header that breaks off', '--A\r\nContent-Disposition: form-da'],
    ['a part without a name', `--A\r\n${fileHead}\r\n\r\n%PDF-1.7\r\n--A--\r\n`],
    ['a file without a name', `--A\r\n${noteHead}\r\n\r\n%PDF-1.7\r\n--A--\r\n`],
    ['a malformed header', '--A\r\nno colon here\r\n\r\nx\r\n--A--\r\n'],
    ['a header of a megabyte', `--A\r\nX-Long: ${'x'.repeat(2 ** 20)}\r\n\r\nx\r\n--A--\r\n`],
    ['nothing', ''],
    ['only the end', '--A--\r\n'],
  ])('%s', async (_what, payload, type = 'multipart/form-data; boundary=A') => {
    const user = await createUser(test)
    const response = await send(user, type, payload)
    expect(response.json()).toMatchObject({ code: expect.any(String), message: expect.any(String) })
    expect(response.statusCode).toBe(400)
    await expectNothingKept(test, user.id)
  })
})

const ada = await createUser(test, { name: 'Ada Okafor' })
const details = { courseCode: 'PHY151', academicYear: '2024–25', isAnonymous: false }
const edit = (user: TestUser, noteId: string, payload: object) =>
  patch(test, `/api/users/me/notes/${noteId}`, payload, user.auth)
const find = async (title: string) => (await get(test, `/api/users/me/notes?title=${title}`, ada.auth)).json().notes

it('the title sent with a file becomes the note’s, cleaned like any line', async () => {
  const response = await upload(test, ada, [...goodFields, field('title', '  E\u0301tu\u00adde\u200b 1 '), file()])
  expect(response.statusCode).toBe(201)
  expect(response.json().notes[0].title).toBe('Étude 1')
  expect(await find('etude')).toMatchObject([{ title: 'Étude 1' }])
})

it('the title sent with a file loses parts of the author’s name if the note is anonymous, also if taken from the file’s name', async () => {
  const anonymous = [...goodFields, field('isAnonymous', 'true')]
  const fileName = 'A. Oka for – Op\u00adtics.pdf'
  expect((await uploadNote(test, ada, onePagePdf, { fileName, isAnonymous: true })).title).toBe('– Optics')
  const given = await upload(test, ada, [...anonymous, field('title', 'Optics, A\u200bda Oka-for'), file()])
  expect(given.json().notes[0].title).toBe('Optics')
})

it('a title sent with two files is refused, and neither is stored', async ({ user }) => {
  const files = [file(createPdfWithText('one')), file(createPdfWithText('two'))]
  const response = await upload(test, user, [...goodFields, field('title', 'Optics'), ...files])
  expectRefusal(response, 'invalid_input', 'Send each file by itself to set this.')
  await expectNothingKept(test, user.id)
})

it('The title in an edit is the note’s from then on, and what it is found by; left out, it stays', async () => {
  const noteId = await createNote(test, ada, { title: 'scan_0042' })
  const response = await edit(ada, noteId, { ...details, title: ' Re\u00adfrac\u200btion ' })
  expect(response.json()).toMatchObject({ title: 'Refraction', courseCode: 'PHY151' })
  expect(await find('refraction')).toMatchObject([{ _id: noteId }])
  expect(await find('scan')).toEqual([])
  expect((await edit(ada, noteId, details)).json().title).toBe('Refraction')
})

const far = (count: number, step: number) =>
  Array.from({ length: count }, (_, n) => String.fromCodePoint(0x20000 + ((n * step) % 40_000))).join('')
it.each([
  ['letters that words are made of by twos', far(200, 977), far(100, 1_301)],
  ['signs that stand for sentences', 'ﷺ'.repeat(200), 'ﷺ'.repeat(100)],
  ['words of one letter', 'a é 1 ß '.repeat(50).slice(0, 200), 'x y '.repeat(25)],
])('The title in an edit and the instructor are found whatever their words: %s', async (_what, title, instructor) => {
  const noteId = await createNote(test, ada)
  expect((await edit(ada, noteId, { ...details, title, instructor })).statusCode).toBe(200)
  const query = new URLSearchParams({ title, instructor })
  expect((await get(test, `/api/notes?${query}`, ada.auth)).json().notes).toMatchObject([{ _id: noteId }])
})

it('the title in an edit loses the author’s name if the note is or becomes anonymous', async () => {
  for (const isAnonymous of [true, false]) {
    const noteId = await createNote(test, ada, { isAnonymous })
    const response = await edit(ada, noteId, { ...details, title: 'A. Oka-for: Refraction', isAnonymous: true })
    expect(response.json()).toMatchObject({ title: ': Refraction', isAnonymous: true })
  }
  await expectNoOrphanedFiles(test)
})
