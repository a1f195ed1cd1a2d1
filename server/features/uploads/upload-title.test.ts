import { describe, expect, it } from 'vitest'
import { openTestApp } from '../../testing/app.ts'
import { createNote, createUser, type TestUser } from '../../testing/factories.ts'
import { field, file, goodFields, upload } from '../../testing/form.ts'
import { createPdfWithText } from '../../testing/pdf-kinds.ts'
import { expectRefusal } from '../../testing/refusal.ts'
import { expectNoOrphanedFiles, expectNothingKept } from '../../testing/storage-assertions.ts'
import { patch } from '../../testing/students.ts'

const test = await openTestApp()
const ada = await createUser(test, { name: 'Ada Okafor' })

const details = { courseCode: 'PHY151', academicYear: '2024–25', isAnonymous: false }
const edit = (user: TestUser, noteId: string, payload: object) =>
  patch(test, `/api/users/me/notes/${noteId}`, payload, user.auth)
const titleOf = async (noteId: string) =>
  (await test.app.inject({ url: `/api/notes/${noteId}`, headers: ada.auth })).json().title
const find = async (title: string) =>
  (await test.app.inject({ url: `/api/users/me/notes?title=${title}`, headers: ada.auth })).json().notes

const wrong: [string, string, string][] = [
  ['a blank one', '  ', 'Please fill in all required fields.'],
  ['a long one', 'x'.repeat(201), 'Use at most 200 characters.'],
  ['one that shows nothing', '\u200b\u2800', 'Please fill in all required fields.'],
]

describe('The title that comes with a file', () => {
  it('is the note’s, cleaned as any line', async () => {
    const response = await upload(test, ada, [...goodFields, field('title', '  E\u0301tu\u00adde\u200b 1 '), file()])
    expect(response.statusCode).toBe(201)
    expect(response.json().notes[0].title).toBe('Étude 1')
    expect(await find('etude')).toMatchObject([{ title: 'Étude 1' }])
  })

  it('loses the author’s name where the note is anonymous', async () => {
    const fields = [...goodFields, field('isAnonymous', 'true'), field('title', 'Optics by Ada Okafor')]
    expect((await upload(test, ada, [...fields, file()])).json().notes[0].title).toBe('Optics by')
  })

  it('loses it in parts too, in the file’s name as in the given one', async () => {
    const anonymous = [...goodFields, field('isAnonymous', 'true')]
    const one = file(createPdfWithText('one'), 'A. Oka for – Op\u00adtics.pdf')
    const named = await upload(test, ada, [...anonymous, one])
    expect(named.json().notes[0].title).toBe('– Optics')
    const given = await upload(test, ada, [...anonymous, field('title', 'Optics, A\u200bda Oka-for'), file()])
    expect(given.json().notes[0].title).toBe('Optics')
  })

  it.each(wrong)('is refused, and nothing kept: %s', async (_what, title, message) => {
    const user = await createUser(test)
    const response = await upload(test, user, [...goodFields, field('title', title), file()])
    expectRefusal(response, 'invalid_input', message)
    expect(response.json().fields).toEqual({ title: message })
    await expectNothingKept(test, user.id)
  })

  it('is refused beside two files, and neither is kept', async () => {
    const user = await createUser(test)
    const files = [file(createPdfWithText('one')), file(createPdfWithText('two'))]
    const response = await upload(test, user, [...goodFields, field('title', 'Optics'), ...files])
    expectRefusal(response, 'invalid_input', 'Send each file by itself to set this.')
    await expectNothingKept(test, user.id)
  })
})

describe('The title in an edit', () => {
  it('is the note’s from then on, and what it is found by; left out, it stays', async () => {
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
  ])('is found whatever its words need, as is the instructor: %s', async (_what, title, instructor) => {
    const noteId = await createNote(test, ada)
    const response = await edit(ada, noteId, { ...details, title, instructor })
    expect(response.statusCode).toBe(200)
    const query = new URLSearchParams({ title, instructor })
    const found = await test.app.inject({ url: `/api/notes?${query}`, headers: ada.auth })
    expect(found.json().notes).toMatchObject([{ _id: noteId }])
  })

  it('loses the author’s name in a note that is anonymous, and in one that becomes it', async () => {
    for (const isAnonymous of [true, false]) {
      const noteId = await createNote(test, ada, { isAnonymous })
      const response = await edit(ada, noteId, { ...details, title: 'A. Oka-for: Refraction', isAnonymous: true })
      expect(response.json()).toMatchObject({ title: ': Refraction', isAnonymous: true })
    }
    await expectNoOrphanedFiles(test)
  })

  it('is without the name when the note becomes anonymous, where none is given', async () => {
    const noteId = await createNote(test, ada, { title: 'O\u200bkafor Refraction' })
    expect((await edit(ada, noteId, { ...details, isAnonymous: true })).json().title).toBe('Refraction')
  })

  it.each(wrong)('is refused, and the note stays: %s', async (_what, title, message) => {
    const noteId = await createNote(test, ada, { title: 'Optics' })
    expectRefusal(await edit(ada, noteId, { ...details, title }), 'invalid_input', message)
    expect(await titleOf(noteId)).toBe('Optics')
  })
})
