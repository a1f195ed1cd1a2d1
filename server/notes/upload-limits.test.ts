import { describe, expect, it } from 'vitest'
import { openTestApp } from '../test/app.ts'
import { createUser } from '../test/factories.ts'
import { field, file, goodFields, makeForm, upload } from '../test/form.ts'
import { pdfOfBytes, pdfSaying } from '../test/pdf-kinds.ts'
import { expectRefusal } from '../test/refusal.ts'
import { countNotes, expectNothingKept, expectTidy } from '../test/tidy.ts'

const test = await openTestApp({ MAX_FILES: '3', MAX_FILE_MB: '1' })
const megabyte = 2 ** 20
const limitText = 'You can only upload up to 3 files, each up to 1MB.'

const small = (i: number) => file(pdfSaying(`File ${i}`), `f${i}.pdf`)

describe('the limits of an upload', () => {
  it('allow a file of exactly the size and exactly the count', async () => {
    const user = await createUser(test)
    const parts = [...goodFields, file(pdfOfBytes(megabyte)), small(2), small(3)]
    const response = await upload(test, user, parts)
    expect(response.statusCode).toBe(201)
    const view = await test.app.inject({ url: `/api/notes/${response.json().notes[0]._id}/view`, headers: user.auth })
    expect(view.rawPayload.equals(pdfOfBytes(megabyte))).toBe(true)
    expect(await countNotes(test, user.id)).toBe(3)
    await expectTidy(test)
  })

  it.each([1, megabyte / 2])('refuse a file of %i bytes more', async (more) => {
    const user = await createUser(test)
    const response = await upload(test, user, [...goodFields, file(pdfOfBytes(megabyte + more))])
    expectRefusal(response, 'upload_too_large', limitText)
    await expectNothingKept(test, user.id)
  })

  it('refuse the files that came before one that is too large', async () => {
    const user = await createUser(test)
    const response = await upload(test, user, [...goodFields, small(1), small(2), file(pdfOfBytes(megabyte + 1))])
    expectRefusal(response, 'upload_too_large', limitText)
    await expectNothingKept(test, user.id)
  })

  it.each([4, 5, 30])('refuse %i files', async (count) => {
    const user = await createUser(test)
    const response = await upload(test, user, [...goodFields, ...Array.from({ length: count }, (_, i) => small(i))])
    expectRefusal(response, 'upload_limit', limitText)
    await expectNothingKept(test, user.id)
  })

  it('refuse more than all files together by its announced length', async () => {
    const user = await createUser(test)
    const { payload, headers } = makeForm([...goodFields, file(Buffer.alloc(4 * megabyte))])
    const request = { method: 'POST', url: '/api/notes', headers: { ...headers, ...user.auth }, payload } as const
    const announced = { ...request.headers, 'content-length': String(payload.length + megabyte) }
    expectRefusal(await test.app.inject({ ...request, headers: announced }), 'upload_too_large', limitText)
    await expectNothingKept(test, user.id)
  })

  it('refuse ten thousand parts', async () => {
    const user = await createUser(test)
    const parts = Array.from({ length: 10_000 }, () => field('instructor', ''))
    expectRefusal(await upload(test, user, [...goodFields, ...parts, small(1)]), 'body_too_large')
    await expectNothingKept(test, user.id)
  })

  it('are told to the pages', async () => {
    const response = await test.app.inject({ url: '/api/config' })
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ maxFiles: 3, maxFileMb: 1, academicYearStartMonth: 8 })
    expect(response.headers['cache-control']).toBe('no-store')
  })
})
