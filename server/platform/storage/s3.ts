import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import PQueue from 'p-queue'
import type { S3Config } from '../../config.ts'
import { type ByteRange, type FileStorage, type SpooledFile, StorageUnavailableError, singleFlight } from './storage.ts'

/** Limits the parallel uploads to the store. */
const placing = new PQueue({ concurrency: 4 })

/**
 * In milliseconds: `answer` until a response begins, `part` for a part of a file, `stall` without data while reading.
 */
type S3Times = { connect: number; answer: number; part: number; stall: number }
const defaultTimes: S3Times = { connect: 3_000, answer: 8_000, part: 30_000, stall: 15_000 }
const attempts = 3
const addressSeconds = 300
/** Smaller files are stored by one request. S3 accepts parts of at least this size. */
const partBytes = 5 * 2 ** 20

/** Object names are those on disk (`ab/abcdef…`), so that a folder can be copied to a bucket and back. */
const objectOf = (key: string) => `${key.slice(0, 2)}/${key}`
const keyOf = (object: string) => /^[0-9a-f]{2}\/([0-9a-f]{32})$/.exec(object)?.[1]
const markerObject = 'marker'
const probeObject = 'probe'

/** Stores files in an existing bucket of any S3 store. Opening it sends no request. */
export function openS3Storage(config: S3Config, times = defaultTimes): FileStorage {
  const { bucket: Bucket } = config
  const client = createClient(config, config.endpoint, times)
  const signer = createClient(config, config.publicEndpoint, times)
  const uploader = createClient(config, config.endpoint, { ...times, answer: times.part })
  /** False from a failed upload to the next successful write: a full store can still be read. */
  let isAcceptingWrites = true

  const at = (key: string) => ({ Bucket, Key: objectOf(key) })

  /** Resolves to null when the object does not exist. @throws StorageUnavailableError */
  async function ask<T>(operation: string, asked: () => Promise<T>): Promise<T | null> {
    try {
      return await asked()
    } catch (error) {
      if (isMissing(error)) return null
      throw toStorageError(error, operation)
    }
  }

  async function open(object: string, range?: ByteRange) {
    const Range = range && `bytes=${range.start}-${range.end}`
    const found = await ask('give files', () => client.send(new GetObjectCommand({ Bucket, Key: object, Range })))
    return found && { body: found.Body as Readable, bytes: found.ContentLength ?? 0 }
  }

  /** Every request is signed with the SHA-256 of its body, so the store rejects data that changed in transit. */
  async function upload(Key: string, file: SpooledFile): Promise<void> {
    const Body = Readable.from(readVerified(file))
    try {
      const upload = new Upload({ client: uploader, params: { Bucket, Key, Body }, partSize: partBytes, queueSize: 1 })
      await upload.done().catch((error) => {
        // The store may have completed the upload although its response was lost.
        if (!isNoUpload(error)) throw error
      })
      if (file.bytes > partBytes) {
        const { ContentLength } = await client.send(new HeadObjectCommand({ Bucket, Key }))
        if (ContentLength !== file.bytes) throw new Error('The stored file has another size')
      }
    } catch (error) {
      // A body that is closed before its end has an AbortError.
      if (Body.errored && Body.errored.name !== 'AbortError') throw Body.errored
      isAcceptingWrites = false
      throw toStorageError(error, 'take files')
    }
    isAcceptingWrites = true
  }

  async function abortUploads(key: string): Promise<void> {
    const { Key } = at(key)
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: Key }))
    for (const { UploadId } of Uploads) {
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch((error) => {
        if (!isNoUpload(error)) throw error
      })
    }
  }

  async function probeWrite(): Promise<void> {
    await client.send(new PutObjectCommand({ Bucket, Key: probeObject, Body: 'probe' }))
    await client.send(new DeleteObjectCommand({ Bucket, Key: probeObject }))
    isAcceptingWrites = true
  }

  async function get(key: string, range?: ByteRange): Promise<Readable | null> {
    const object = objectOf(key)
    const first = await open(object, range)
    if (!first) return null
    const start = range?.start ?? 0
    const end = start + first.bytes - 1
    const goOn = async (done: number) => (await open(object, { start: start + done, end }))?.body ?? null
    return Readable.from(readWithResume(first.body, first.bytes, times.stall, goOn), { objectMode: false })
  }

  return {
    put: (key, file) => placing.add(() => upload(objectOf(key), file)),

    get,

    async downloadTo(key, path) {
      const content = await get(key)
      if (content) await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
      return content !== null
    },

    async getSize(key) {
      const found = await ask('tell of files', () => client.send(new HeadObjectCommand(at(key))))
      return found && (found.ContentLength ?? 0)
    },

    async *list() {
      for (let ContinuationToken: string | undefined; ; ) {
        const command = new ListObjectsV2Command({ Bucket, ContinuationToken })
        const page = await ask('list files', () => client.send(command))
        for (const { Key = '' } of page?.Contents ?? []) {
          const key = keyOf(Key)
          if (key) yield key
        }
        ContinuationToken = page?.NextContinuationToken
        if (!ContinuationToken) return
      }
    },

    async delete(key) {
      await ask('remove files', async () => {
        await abortUploads(key)
        await client.send(new DeleteObjectCommand(at(key)))
      })
    },

    async createDownloadUrl(key, headers) {
      if (!config.usesPresignedUrls) return null
      const command = new GetObjectCommand({
        ...at(key),
        ResponseContentType: headers['content-type'],
        ResponseContentDisposition: headers['content-disposition'],
        ResponseCacheControl: headers['cache-control'],
      })
      return getSignedUrl(signer, command, { expiresIn: addressSeconds })
    },

    async readMarker() {
      const found = await open(markerObject)
      return found && (await text(found.body)).trim()
    },

    async writeMarker(marker) {
      const command = new PutObjectCommand({ Bucket, Key: markerObject, Body: `${marker}\n` })
      await ask('take files', () => client.send(command))
    },

    check: singleFlight(async () => {
      await ask('answer', async () => {
        // The response to a failed HEAD contains no reason.
        await client.send(new ListObjectsV2Command({ Bucket, MaxKeys: 1 }))
        if (!isAcceptingWrites) await probeWrite()
      })
    }),
  }
}

/** Yields the content of a local file. @throws when it does not match its hash. */
async function* readVerified({ path, sha256 }: SpooledFile) {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk)
    yield chunk
  }
  if (!hash.digest().equals(sha256)) throw new Error('A file doesn’t match its hash')
}

function createClient({ region, forcePathStyle, credentials }: S3Config, endpoint: string, times: S3Times): S3Client {
  return new S3Client({
    endpoint,
    region,
    forcePathStyle,
    ...(credentials && { credentials }),
    maxAttempts: attempts,
    // Not every store supports these checksums. All of them verify the signed SHA-256.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: times.connect,
      requestTimeout: times.answer,
      throwOnRequestTimeout: true,
      // A connection is idle while its file is read slowly; `readWithResume` limits the time that a store takes.
      socketTimeout: 0,
      httpAgent: { keepAlive: true, maxSockets: Infinity },
      httpsAgent: { keepAlive: true, maxSockets: Infinity },
    },
    // The SDK would report failed attempts outside our log.
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  })
}

const maxResumes = 3

/**
 * Reads a body from a store and resumes it where it broke off. The timeout runs only while the store is awaited, so the
 * reader may be slow.
 * @param goOn opens the body again after `done` bytes; null when the file no longer exists.
 */
async function* readWithResume(
  first: Readable,
  bytes: number,
  stallMs: number,
  goOn: (done: number) => Promise<Readable | null>,
): AsyncGenerator<Buffer> {
  let body = heard(first)
  let done = 0
  try {
    for (let breaks = 0; done < bytes; ) {
      const chunk = await nextChunk(body, stallMs)
      if (chunk) {
        done += chunk.length
        yield chunk
        continue
      }
      if (++breaks > maxResumes)
        throw new StorageUnavailableError('S3_ENDPOINT keeps interrupting the download of a file.')
      body.destroy()
      const next = await goOn(done)
      if (!next) throw new StorageUnavailableError('A file was deleted from S3_BUCKET while it was read.')
      body = heard(next)
    }
  } finally {
    body.destroy()
  }
}

/** Between two chunks there is no other listener, and an error would end the process. */
const heard = (body: Readable): Readable => body.on('error', () => {})

/** Resolves to null when the body ends, breaks off or stalls. */
async function nextChunk(body: Readable, stallMs: number): Promise<Buffer | null> {
  const ready = body.read()
  if (ready) return ready
  if (body.readableEnded || body.destroyed) return null
  const { promise, resolve } = Promise.withResolvers<void>()
  const events = ['readable', 'end', 'close', 'error']
  for (const event of events) body.once(event, resolve)
  const timer = setTimeout(resolve, stallMs)
  await promise
  clearTimeout(timer)
  for (const event of events) body.off(event, resolve)
  return body.read()
}

/** The setting to check, by the error names that stores send. */
const settings: Record<string, string> = {
  NoSuchBucket: 'The bucket in S3_BUCKET doesn’t exist. Create it first',
  InvalidAccessKeyId: 'S3_ENDPOINT doesn’t know the key in AWS_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'AWS_SECRET_ACCESS_KEY doesn’t match AWS_ACCESS_KEY_ID',
  AccessDenied: 'AWS_ACCESS_KEY_ID lacks permissions on S3_BUCKET',
  Forbidden: 'AWS_ACCESS_KEY_ID lacks permissions on S3_BUCKET',
  ExpiredToken: 'AWS_SESSION_TOKEN has expired',
  InvalidToken: 'S3_ENDPOINT rejected AWS_SESSION_TOKEN',
  CredentialsProviderError:
    'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY aren’t set, and the AWS SDK found no other credentials',
  AuthorizationHeaderMalformed: 'S3_REGION isn’t the region of S3_BUCKET',
  PermanentRedirect: 'S3_REGION or S3_ENDPOINT isn’t the one of S3_BUCKET',
  ENOTFOUND: 'The host in S3_ENDPOINT can’t be resolved',
}
const passing: Record<string, string> = {
  RequestTimeTooSkewed: 'The clock of this machine or of S3_ENDPOINT is wrong',
  QuotaExceeded: 'S3_BUCKET is full: its quota is exhausted',
}

/**
 * Converts an error of the store or the network to a message for the operator. Of the error it keeps only the name and
 * status.
 */
function toStorageError(error: unknown, operation: string): StorageUnavailableError {
  if (error instanceof StorageUnavailableError) return error
  const { name, code, status } = describe(error)
  const known =
    settings[code] ?? settings[name] ?? (status === 403 && !passing[name] ? settings.AccessDenied : undefined)
  const what = known ?? passing[name] ?? `S3_ENDPOINT failed to ${operation}`
  const because = [code || name, status].filter(Boolean).join(' ')
  return new StorageUnavailableError(`${what} (${because}).`, { isMisconfigured: known !== undefined })
}

const isRefusal = (error: unknown, names: string[]) => error instanceof S3ServiceException && names.includes(error.name)
const isMissing = (error: unknown) => isRefusal(error, ['NoSuchKey', 'NotFound'])
const isNoUpload = (error: unknown) => isRefusal(error, ['NoSuchUpload'])

function describe(error: unknown) {
  if (!(error instanceof Error)) return { name: 'unknown', code: '', status: null }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const status = error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? null) : null
  return { name: error.name, code, status }
}
