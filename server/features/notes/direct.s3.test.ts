import { expect, it } from 'vitest'
import { createNote, createUser, openTestApp } from '../../testing/app.ts'
import { recordLog } from '../../testing/log.ts'
import { onePagePdf } from '../../testing/pdf.ts'
import { expectRefusal, expectStatus } from '../../testing/refusal.ts'
import { letPagesRead, makeBucket } from '../../testing/s3.ts'
import { documentOf } from '../../testing/stored-files.ts'

const publicUrl = 'http://localhost:3000'
const env = await makeBucket()
await letPagesRead(env.S3_BUCKET ?? '', publicUrl)
const { lines, log } = recordLog('debug')
const test = await openTestApp({ ...env, S3_PRESIGNED_DOWNLOADS: 'on', PUBLIC_URL: publicUrl }, log)
const [owner, reader] = [await createUser(test), await createUser(test)]
const title = 'Anfänge der „Analysis“'
const named = await createNote(test, owner, { title })
const anonymous = await createNote(test, owner, { isAnonymous: true })
const view = (noteId: string, headers: object = reader.auth, method: 'GET' | 'HEAD' = 'GET') =>
  test.app.inject({ method, url: `/api/notes/${noteId}/view`, headers: { ...headers } })

async function addressOf(noteId: string): Promise<URL> {
  const response = await view(noteId)
  expect([response.statusCode, response.headers['cache-control']]).toEqual([302, 'private, no-store'])
  return new URL(String(response.headers.location))
}

it('a note that is shared by name, with S3_PRESIGNED_DOWNLOADS=on is at a presigned URL of the storage, for five minutes, as a PDF of its name without caching', async () => {
  const address = await addressOf(named)
  expect([address.origin, address.searchParams.get('X-Amz-Expires')]).toEqual([env.S3_ENDPOINT, '300'])
  const response = await fetch(address)
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'cache-control': 'private, no-store',
    'content-disposition': expect.stringMatching(/^inline; filename=.*; filename\*=UTF-8''Anf%C3%A4nge/),
  })
  expect([...response.headers.keys()].filter((name) => name.startsWith('x-amz-meta'))).toEqual([])
  expect(Buffer.from(await response.arrayBuffer()).equals(onePagePdf)).toBe(true)
})

it('a note that is shared by name, with S3_PRESIGNED_DOWNLOADS=on is read in ranges there, also by a page of Lectern', async () => {
  const headers = { range: 'bytes=5-9', origin: publicUrl }
  const response = await fetch(await addressOf(named), { headers })
  expect(response.status).toBe(206)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-range': `bytes 5-9/${onePagePdf.length}`,
    'access-control-allow-origin': publicUrl,
  })
  expect(Buffer.from(await response.arrayBuffer()).equals(onePagePdf.subarray(5, 10))).toBe(true)
})

it('a note that is shared by name, with S3_PRESIGNED_DOWNLOADS=on has an address that is good for that file alone', async () => {
  const [address, { file_key }] = [await addressOf(named), await documentOf(test, anonymous)]
  address.pathname = `/${env.S3_BUCKET}/${file_key.slice(0, 2)}/${file_key}`
  expect((await fetch(address)).status).toBe(403)
  const open = new URL(address.pathname, address)
  expect((await fetch(open)).status).toBe(403)
})

it('a note that is shared by name, with S3_PRESIGNED_DOWNLOADS=on tells its size and version from here', async () => {
  const head = await view(named, reader.auth, 'HEAD')
  expect([head.statusCode, head.headers['content-length']]).toEqual([200, String(onePagePdf.length)])
  expect((await view(named, { ...reader.auth, 'if-none-match': head.headers.etag })).statusCode).toBe(304)
})

it('a note that is shared by name, with S3_PRESIGNED_DOWNLOADS=on is nowhere once it is deleted, at an address that was given before too', async () => {
  const doomed = await createNote(test, owner)
  const address = await addressOf(doomed)
  await test.app.inject({ method: 'DELETE', url: `/api/users/me/notes/${doomed}`, headers: owner.auth })
  expectRefusal(await view(doomed), 'note_not_found')
  expect((await fetch(address)).status).toBe(404)
})

it('no reader is redirected to the storage for an anonymous note, whose file’s date would tell when it was made so', async () => {
  for (const { auth } of [owner, reader]) {
    const response = await expectStatus(200, view(anonymous, auth))
    expect(response.rawPayload.equals(onePagePdf)).toBe(true)
    expect(response.headers).not.toHaveProperty('last-modified')
  }
})

it('no visitor and no request for a missing note is redirected to the storage', async () => {
  expectRefusal(await view(named, {}), 'unauthorized')
  expectRefusal(await view('5b1f0e7c-3f0a-4c39-9f0e-1d2c3b4a5968'), 'note_not_found')
})

it('lets pages fetch from the store, and from nowhere else', async () => {
  const policy = String((await test.app.inject({ url: '/healthz' })).headers['content-security-policy'])
  expect(policy).toContain(`connect-src 'self' ${env.S3_ENDPOINT}`)
})

it('writes no address and no secret into the log', () => {
  const written = lines.join('')
  expect(written).toContain('/view 302')
  for (const secret of ['X-Amz', 'Signature', env.AWS_SECRET_ACCESS_KEY ?? '']) expect(written).not.toContain(secret)
})
