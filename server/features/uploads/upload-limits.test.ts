import { expect } from 'vitest'
import type { ErrorCode } from '../../../packages/contract/errors.ts'
import { createUser, itWithUsers, openTestApp } from '../../testing/app.ts'
import { field, file, goodFields, makeForm, type Part, upload } from '../../testing/form.ts'
import { createPdfWithText, pdfOfBytes } from '../../testing/pdf-kinds.ts'
import { expectRefusal, expectStatus } from '../../testing/refusal.ts'
import { countNotes, expectNoOrphanedFiles, expectNothingKept } from '../../testing/storage-assertions.ts'

const test = await openTestApp({ MAX_FILES: '3', MAX_FILE_MB: '1' })
const it = itWithUsers(test)
const megabyte = 2 ** 20
const limitText = 'You can only upload up to 3 files, each up to 1MB.'
const small = (i: number) => file(createPdfWithText(`File ${i}`), `f${i}.pdf`)

it('the limits of an upload allow a file of exactly the size and exactly the count', async ({ user }) => {
  const parts = [...goodFields, file(pdfOfBytes(megabyte)), small(2), small(3)]
  const response = await expectStatus(201, upload(test, user, parts))
  const view = await test.app.inject({ url: `/api/notes/${response.json().notes[0]._id}/view`, headers: user.auth })
  expect(view.rawPayload.equals(pdfOfBytes(megabyte))).toBe(true)
  expect(await countNotes(test, user.id)).toBe(3)
  await expectNoOrphanedFiles(test)
})

const some = (count: number) => Array.from({ length: count }, (_, at) => small(at))
it.each<[string, Part[], ErrorCode, string?]>([
  ['a file of one byte more', [file(pdfOfBytes(megabyte + 1))], 'upload_too_large', limitText],
  ['files before one that is too large', [...some(2), file(pdfOfBytes(megabyte + 1))], 'upload_too_large', limitText],
  ['4 files', some(4), 'upload_limit', limitText],
  ['ten thousand parts', [...Array(10_000).fill(field('instructor', '')), small(1)], 'body_too_large'],
])('the limits of an upload refuse %s', async (_what, parts, code, message) => {
  const user = await createUser(test)
  expectRefusal(await upload(test, user, [...goodFields, ...parts]), code, message)
  await expectNothingKept(test, user.id)
})

it('the limits of an upload refuse more than all files together by its announced length', async ({ user }) => {
  const { payload, headers } = makeForm([...goodFields, file(Buffer.alloc(4 * megabyte))])
  const request = { method: 'POST', url: '/api/notes', headers: { ...headers, ...user.auth }, payload } as const
  const announced = { ...request.headers, 'content-length': String(payload.length + megabyte) }
  expectRefusal(await test.app.inject({ ...request, headers: announced }), 'upload_too_large', limitText)
  await expectNothingKept(test, user.id)
})

it('the limits of an upload are sent to the pages', async () => {
  const response = await expectStatus(200, test.app.inject({ url: '/api/config' }))
  expect(response.json()).toEqual({ maxFiles: 3, maxFileMb: 1, academicYearStartMonth: 8 })
  expect(response.headers['cache-control']).toBe('no-store')
})
