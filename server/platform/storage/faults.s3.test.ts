import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { DeleteBucketPolicyCommand, PutBucketPolicyCommand } from '@aws-sdk/client-s3'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { readConfig, type S3Config } from '../../config.ts'
import { createNote, createUser, openTestApp } from '../../testing/app.ts'
import { file, goodFields, upload } from '../../testing/form.ts'
import { createPdfWithText, pdfOfBytes } from '../../testing/pdf-kinds.ts'
import { startProxy } from '../../testing/proxy.ts'
import { expectRefusal } from '../../testing/refusal.ts'
import { listUploads, makeBucket, openS3Client } from '../../testing/s3.ts'
import { countNotes, expectNoOrphanedFiles, expectNoOrphanedFilesAfterSweep } from '../../testing/storage-assertions.ts'
import { makeLocalFile, putBytes, untilProcessed } from '../../testing/stored-files.ts'
import { openS3Storage } from './s3.ts'
import { newFileKey, StorageUnavailableError } from './storage.ts'

const env = await makeBucket()
const proxy = await startProxy(env.S3_ENDPOINT ?? '')
afterAll(() => proxy.close())
const S3_ENDPOINT = proxy.url.replace(/\/$/, '')
const bucket = env.S3_BUCKET ?? ''
const config = readConfig({ ...env, S3_ENDPOINT }).s3 as S3Config
const large = randomBytes(30_000_000)

beforeEach(() => proxy.restore())

it('a way to the store that is cut in the middle of a file that is read is found again, and the file goes on where it was', async () => {
  const [storage, key] = [openS3Storage(config), newFileKey()]
  await putBytes(storage, key, large)
  const stream = (await storage.get(key)) ?? expect.fail('It is there')
  const chunks: Buffer[] = []
  for await (const chunk of stream) {
    chunks.push(chunk)
    if (chunks.length === 5) {
      proxy.cut()
      proxy.restore()
    }
  }
  expect(Buffer.concat(chunks).equals(large)).toBe(true)
})

it('a way to the store that is cut for good ends what is read with an error, and no file is taken for whole', async () => {
  const [storage, key] = [openS3Storage(config), newFileKey()]
  await putBytes(storage, key, large)
  const stream = (await storage.get(key)) ?? expect.fail('It is there')
  await once(stream, 'readable')
  proxy.cut()
  await expect(buffer(stream)).rejects.toThrow(StorageUnavailableError)
})

it('a way to the store that is cut in the middle of a file that is stored sends what is missing again', async () => {
  const [storage, key] = [openS3Storage(config), newFileKey()]
  const stored = storage.put(key, await makeLocalFile(large))
  await expect.poll(() => listUploads(bucket), { interval: 5 }).toHaveLength(1)
  proxy.cut()
  proxy.restore()
  await stored
  expect((await buffer((await storage.get(key)) ?? expect.fail('It is there'))).equals(large)).toBe(true)
  expect(await listUploads(bucket)).toEqual([])
})

it('a way to the store that is cut for good leaves parts, which go with the file’s key', async () => {
  const [storage, key] = [openS3Storage(config), newFileKey()]
  const stored = storage.put(key, await makeLocalFile(large))
  const failure = stored.catch((error: unknown) => error)
  await expect.poll(() => listUploads(bucket), { interval: 5 }).toHaveLength(1)
  proxy.cut()
  expect(await failure).toBeInstanceOf(StorageUnavailableError)
  proxy.restore()
  await storage.delete(key)
  expect([await storage.getSize(key), await listUploads(bucket)]).toEqual([null, []])
})

it('gives up on a storage that accepts everything without a response, and later removes what it stored anyway', async () => {
  const silent = await startProxy(env.S3_ENDPOINT ?? '')
  try {
    silent.mute(bucket)
    const times = { connect: 1_000, answer: 200, part: 200, stall: 200 }
    const storage = openS3Storage({ ...config, endpoint: silent.url.replace(/\/$/, '') }, times)
    await expect(storage.check()).rejects.toThrow(StorageUnavailableError)
    await expect(storage.get(newFileKey())).rejects.toThrow(StorageUnavailableError)
    const [small, big] = [newFileKey(), newFileKey()]
    await expect(putBytes(storage, small, Buffer.from('content'))).rejects.toThrow(StorageUnavailableError)
    await expect(putBytes(storage, big, large)).rejects.toThrow(StorageUnavailableError)
    const hearing = openS3Storage(config)
    for (const key of [small, big]) {
      await hearing.delete(key)
      expect(await hearing.getSize(key)).toBeNull()
    }
    expect(await listUploads(bucket)).toEqual([])
  } finally {
    await silent.close()
  }
})

it('a server whose store is away refuses files, reports it, keeps no partial files, and continues when it is back', async () => {
  const test = await openTestApp({ ...(await makeBucket()), S3_ENDPOINT })
  const user = await createUser(test)
  const noteId = await createNote(test, user)
  const view = { url: `/api/notes/${noteId}/view`, headers: user.auth }
  const parts = [...goodFields, file(createPdfWithText('one')), file(pdfOfBytes(20_000_000))]
  expect((await test.app.inject({ url: '/readyz' })).json().status).toBe('ok')
  proxy.cut()
  expectRefusal(await upload(test, user, parts), 'unavailable')
  expectRefusal(await test.app.inject(view), 'unavailable')
  expect((await test.app.inject({ url: '/readyz' })).json().status).toBe('degraded')
  // Requests that need no file still work.
  expect((await test.app.inject({ url: '/api/notes', headers: user.auth })).statusCode).toBe(200)
  const gone = { method: 'DELETE', url: `/api/users/me/notes/${noteId}`, headers: user.auth } as const
  expect((await test.app.inject(gone)).statusCode).toBe(204)
  expect(await countNotes(test, user.id)).toBe(0)
  proxy.restore()
  // A check of the store from the outage may still be in progress.
  await expect.poll(async () => (await test.app.inject({ url: '/readyz' })).json().status).toBe('ok')
  await expectNoOrphanedFilesAfterSweep(test)
  expect((await upload(test, user, parts)).statusCode).toBe(201)
  await untilProcessed(test)
  await expectNoOrphanedFiles(test)
})

it('a server whose store is away leaves what may have come after all to the sweep', async () => {
  const test = await openTestApp({ ...(await makeBucket()), S3_ENDPOINT })
  const user = await createUser(test)
  await test.deps.files.check()
  proxy.cut()
  expectRefusal(await upload(test, user, [...goodFields, file()]), 'unavailable')
  proxy.restore()
  const waiting = await sql`SELECT delete_after > now() AS later FROM file_deletions`.execute(test.deps.db)
  expect(waiting.rows).toEqual([{ later: true }])
  await expectNoOrphanedFilesAfterSweep(test)
})

it('reports a full storage, and accepts files again when there is space', async () => {
  const own = await makeBucket()
  const test = await openTestApp(own)
  const user = await createUser(test)
  await test.deps.files.check()
  const client = openS3Client()
  // S3 has no call to set a quota; to the server, a store that rejects all writes is the same.
  const Resource = `arn:aws:s3:::${own.S3_BUCKET}/*`
  const deny = {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Deny', Principal: '*', Action: 's3:PutObject', Resource }],
  }
  await client.send(new PutBucketPolicyCommand({ Bucket: own.S3_BUCKET, Policy: JSON.stringify(deny) }))
  expectRefusal(await upload(test, user, [...goodFields, file()]), 'unavailable')
  expect((await test.app.inject({ url: '/readyz' })).json().status).toBe('degraded')
  await client.send(new DeleteBucketPolicyCommand({ Bucket: own.S3_BUCKET }))
  expect((await test.app.inject({ url: '/readyz' })).json().status).toBe('ok')
  expect((await upload(test, user, [...goodFields, file()])).statusCode).toBe(201)
  await expectNoOrphanedFilesAfterSweep(test)
})
