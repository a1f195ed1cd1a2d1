import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { CreateMultipartUploadCommand, UploadPartCommand } from '@aws-sdk/client-s3'
import { expect, it } from 'vitest'
import { readConfig, type S3Config } from '../../config.ts'
import { listUploads, makeBucket, openS3Client } from '../../testing/s3.ts'
import { describeStorage } from '../../testing/storage-behaviour.ts'
import { makeLocalFile, putBytes } from '../../testing/stored-files.ts'
import { openS3Storage } from './s3.ts'
import { newFileKey, StorageUnavailableError } from './storage.ts'

const env = await makeBucket()
const client = openS3Client()
const Bucket = env.S3_BUCKET ?? ''
const open = (given: Record<string, string> = {}) => openS3Storage(readConfig({ ...env, ...given }).s3 as S3Config)
const objectOf = (key: string) => `${key.slice(0, 2)}/${key}`

describeStorage('S3', async () => open())

it('a file in parts is whole, and is read in ranges across its parts', async () => {
  const [storage, key, content] = [open(), newFileKey(), randomBytes(40_000_000)]
  await putBytes(storage, key, content)
  expect(await storage.getSize(key)).toBe(content.length)
  const read = await buffer((await storage.get(key)) ?? Readable.from([]))
  expect(createHash('sha256').update(read).digest()).toEqual(createHash('sha256').update(content).digest())
  const [start, end] = [5 * 2 ** 20 - 5, 5 * 2 ** 20 + 5]
  expect(await buffer((await storage.get(key, { start, end })) ?? Readable.from([]))).toEqual(
    content.subarray(start, end + 1),
  )
  expect(await listUploads(Bucket)).toEqual([])
})

it('a file in parts that a process died over is removed by its key, with its parts', async () => {
  const [storage, key] = [open(), newFileKey()]
  const place = { Bucket, Key: objectOf(key) }
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(place))
  await client.send(new UploadPartCommand({ ...place, UploadId, PartNumber: 1, Body: 'half' }))
  expect(await listUploads(Bucket)).toHaveLength(1)
  await storage.delete(key)
  expect(await listUploads(Bucket)).toEqual([])
})

it.each([0, 40_000_000])('refuses a file of %i bytes that differs from its hash, and leaves nothing', async (bytes) => {
  const [storage, key, file] = [open(), newFileKey(), await makeLocalFile(randomBytes(bytes))]
  const other = { ...file, sha256: createHash('sha256').update('other').digest() }
  await expect(storage.put(key, other)).rejects.toThrow('match its hash')
  expect([await storage.getSize(key), await listUploads(Bucket)]).toEqual([null, []])
})

it.each([
  [{ S3_BUCKET: 'nobody-made-it' }, /^The bucket in S3_BUCKET doesn’t exist/],
  [{ AWS_ACCESS_KEY_ID: 'unknown' }, /^S3_ENDPOINT doesn’t know the key in AWS_ACCESS_KEY_ID/],
  [{ AWS_SECRET_ACCESS_KEY: 'a-wrong-secret' }, /^AWS_SECRET_ACCESS_KEY doesn’t match AWS_ACCESS_KEY_ID/],
])('what has to be set otherwise is named, as with %j, and tells no secret', async (given, text) => {
  const failure = await open(given)
    .check()
    .then(() => open(given).readMarker())
    .catch((error) => error)
  expect(failure).toBeInstanceOf(StorageUnavailableError)
  expect(failure.message).toMatch(text)
  expect(failure.isMisconfigured).toBe(true)
  expect(JSON.stringify(failure) + failure.stack).not.toContain(Object.values(given)[0])
})
