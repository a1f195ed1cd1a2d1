import { unzipSync } from 'fflate'
import { expect, it } from 'vitest'
import { type DetailName, detailNames } from '../../../packages/contract/notes.ts'
import { createNote, createUser, openTestApp } from '../../testing/app.ts'
import { drainJobs } from '../../testing/drain-jobs.ts'
import { field, file, upload } from '../../testing/form.ts'
import { patch, post } from '../../testing/students.ts'

/** For each detail, a value, and another one as it is typed and as it is read. */
const cases: Record<DetailName, { value: string; typed: string; read: string; isRequired?: boolean }> = {
  courseCode: { value: 'MAT137', typed: ' phy 151 ', read: 'PHY 151', isRequired: true },
  academicYear: { value: '2025–26', typed: '2024-25', read: '2024–25', isRequired: true },
  instructor: { value: 'Dr. Old', typed: ' Dr.  Noor', read: 'Dr. Noor' },
}
const valuesOf = (name: 'value' | 'typed' | 'read') =>
  Object.fromEntries(detailNames.map((each) => [each, cases[each][name]]))
const [given, typed, read] = [valuesOf('value'), valuesOf('typed'), valuesOf('read')]
const test = await openTestApp()
const [{ auth, ...author }, moderator] = [await createUser(test), await createUser(test, { role: 'moderator' })]
const path = (noteId: string) => `/api/users/me/notes/${noteId}`
const get = async (noteId: string) => (await test.app.inject({ url: `/api/notes/${noteId}`, headers: auth })).json()

it('an upload and an edit take all details, and an export has them', async () => {
  const form = [...detailNames.map((name) => field(name, cases[name].value)), file()]
  const [note] = (await upload(test, { auth, ...author }, form)).json().notes
  expect(note).toMatchObject(given)
  const edited = await patch(test, path(note._id), { ...typed, isAnonymous: false }, auth)
  expect(edited.json()).toEqual({ ...note, ...read, version: expect.not.stringContaining(note.version) })
  await post(test, '/api/users/me/export', undefined, auth)
  await drainJobs(test)
  const zip = await test.app.inject({ url: '/api/users/me/export/file', headers: auth })
  const { 'lectern.json': data } = unzipSync(zip.rawPayload)
  expect(JSON.parse(Buffer.from(data ?? []).toString()).notes).toMatchObject([read])
  const required = Object.fromEntries(
    detailNames.filter((name) => cases[name].isRequired).map((name) => [name, given[name]]),
  )
  const { version, ...bare } = (await patch(test, path(note._id), { ...required, isAnonymous: false }, auth)).json()
  for (const name of detailNames) expect(bare[name]).toBe(required[name])
})

it.each(detailNames)('a change of the %s alone changes nothing else, by its author or a moderator', async (name) => {
  const noteId = await createNote(test, { auth, ...author }, given)
  const { version, ...before } = await get(noteId)
  const change = (value: string | null) => patch(test, `${path(noteId)}/details`, { [name]: value }, auth)
  const expectDetail = async (value: string | undefined) =>
    expect(await get(noteId)).toEqual({ ...before, [name]: value, version: expect.any(String) })
  expect((await change(cases[name].typed)).statusCode).toBe(200)
  await expectDetail(cases[name].read)
  await post(test, `/api/notes/${noteId}/reports`, { rule: 'wrong_course' }, moderator.auth)
  const details = { [name]: cases[name].value }
  const correction = { kind: 'correct', rule: 'wrong_course', reason: 'It was another.', details }
  await post(test, `/api/moderation/notes/${noteId}/decisions`, correction, moderator.auth)
  await expectDetail(cases[name].value)
  for (const nothing of [' ', null]) {
    expect((await change(nothing)).statusCode).toBe(cases[name].isRequired ? 400 : 200)
    await expectDetail(cases[name].isRequired ? cases[name].value : undefined)
    await change(cases[name].value)
  }
})
