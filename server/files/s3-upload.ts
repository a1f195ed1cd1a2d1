import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { explainS3, isNoUpload, isRefused, mayPass } from './s3-problem.ts'
import type { SpooledFile } from './spool.ts'

/** What is larger goes in parts of this size; a store takes 10,000 of them. */
const partBytes = 16 * 2 ** 20
const attempts = 3
const pauseMs = 200

type Part = { start: number; bytes: number; sha256: string }

/** Reading the local file failed, which has nothing to do with the store. */
class LocalFault extends Error {}

/**
 * Sends files of the local disk to a bucket, as streams. What is sent is signed with its hash, and a store refuses what
 * does not arrive as it was signed: a file is what its hash says, or it is not there.
 * @param partMs for one part, and for putting them together.
 * @throws StorageAway, and what reading the local file throws
 */
export function createS3Upload(client: S3Client, Bucket: string, partMs: number) {
  async function sendWhole(Key: string, { path, bytes, sha256 }: SpooledFile): Promise<void> {
    const part = { start: 0, bytes, sha256: sha256.toString('hex') }
    await persist(path, part, partMs, (Body, abortSignal) => {
      const command = new PutObjectCommand({ Bucket, Key, Body, ContentLength: bytes })
      return client.send(signedWith(command, part), { abortSignal, requestTimeout: partMs })
    })
  }

  async function sendParts(Key: string, file: SpooledFile): Promise<void> {
    const parts = await hashParts(file)
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }))
    try {
      const Parts: CompletedPart[] = []
      for (const part of parts) {
        const place = { Bucket, Key, UploadId, PartNumber: Parts.length + 1, ContentLength: part.bytes }
        const { ETag } = await persist(file.path, part, partMs, (Body, abortSignal) => {
          const command = new UploadPartCommand({ ...place, Body })
          return client.send(signedWith(command, part), { abortSignal, requestTimeout: partMs })
        })
        Parts.push({ PartNumber: place.PartNumber, ETag })
      }
      await complete({ Bucket, Key, UploadId, MultipartUpload: { Parts } }, file.bytes)
    } catch (error) {
      // Where that fails, the sweep does it.
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => {})
      throw error
    }
  }

  /** A store that is asked twice may have done it the first time. */
  async function complete(upload: CompleteMultipartUploadCommand['input'], bytes: number): Promise<void> {
    try {
      await client.send(new CompleteMultipartUploadCommand(upload), { requestTimeout: partMs })
    } catch (error) {
      if (!isNoUpload(error)) throw error
      const found = await client.send(new HeadObjectCommand({ Bucket, Key: upload.Key }))
      if (found.ContentLength !== bytes) throw error
    }
  }

  return async function upload(key: string, file: SpooledFile): Promise<void> {
    const isWhole = file.bytes <= partBytes
    try {
      await (isWhole ? sendWhole : sendParts)(key, file)
    } catch (error) {
      if (error instanceof LocalFault) throw error.cause
      throw explainS3(error, 'take files', !(isWhole && isRefused(error)))
    }
  }
}

/** The client sends no stream twice. Here each try has a new one. */
async function persist<T>(
  path: string,
  part: Part,
  partMs: number,
  send: (body: Readable, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const broken = new AbortController()
    const body = openPart(path, part)
    body.on('error', (cause) => broken.abort(new LocalFault('', { cause })))
    try {
      return await send(body, AbortSignal.any([broken.signal, AbortSignal.timeout(partMs)]))
    } catch (error) {
      if (broken.signal.aborted) throw broken.signal.reason
      if (attempt === attempts || !mayPass(error)) throw error
    } finally {
      body.destroy()
    }
    await setTimeout(pauseMs * 2 ** attempt)
  }
}

const openPart = (path: string, { start, bytes }: Part): Readable =>
  bytes === 0 ? Readable.from([]) : createReadStream(path, { start, end: start + bytes - 1 })

/** So that the hash of what is sent need not be made of it, and a store compares it with what it got. */
function signedWith<C extends PutObjectCommand | UploadPartCommand>(command: C, { sha256 }: Part): C {
  const stack = command.middlewareStack as PutObjectCommand['middlewareStack']
  stack.add(
    (next) => (args) => {
      const { headers } = args.request as { headers: Record<string, string> }
      headers['x-amz-content-sha256'] = sha256
      return next(args)
    },
    { step: 'build', name: 'signWithHash' },
  )
  return command
}

/** Reads the file once: each part has a hash, and all of them together have to have the file's. */
async function hashParts({ path, bytes, sha256 }: SpooledFile): Promise<Part[]> {
  const whole = createHash('sha256')
  const parts: Part[] = []
  for (let start = 0; start < bytes; start += partBytes) {
    const part = { start, bytes: Math.min(partBytes, bytes - start), sha256: '' }
    const hash = createHash('sha256')
    try {
      for await (const chunk of openPart(path, part)) {
        hash.update(chunk)
        whole.update(chunk)
      }
    } catch (cause) {
      throw new LocalFault('', { cause })
    }
    parts.push({ ...part, sha256: hash.digest('hex') })
  }
  if (whole.digest().equals(sha256)) return parts
  throw new LocalFault('', { cause: new Error('A file is not what its hash says') })
}
