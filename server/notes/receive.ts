import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Multipart, MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { uploadFileField } from '../../contract/notes.ts'
import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'
import { Failure, fail } from '../failure.ts'
import type { PendingFiles } from '../files/removals.ts'
import type { NewNote } from './notes.queries.ts'

/** A file that lies in the storage as it came, not looked at yet. */
export type ReceivedFile = NewNote['file'] & { name: string }
export type ReceivedForm = { fields: Record<string, unknown>; files: ReceivedFile[] }

type ReceiveDeps = Pick<Deps, 'files' | 'config'>

/** Room for the text parts and the headers of the parts. */
const formOverheadBytes = 2 ** 20
const maxTextParts = 10

/**
 * Stores the files of a multipart form as they arrive, and collects its text parts. A text part sent twice becomes
 * something no schema takes for a text.
 * @throws unsupported_media_type, malformed_request, body_too_large, upload_limit, upload_too_large
 */
export async function receiveForm(
  deps: ReceiveDeps,
  pending: PendingFiles,
  request: FastifyRequest,
): Promise<ReceivedForm> {
  if (!request.isMultipart()) fail('unsupported_media_type')
  const form: ReceivedForm = { fields: {}, files: [] }
  for await (const part of readParts(request, deps.config)) {
    if (part.type === 'field') {
      form.fields[part.fieldname] = Object.hasOwn(form.fields, part.fieldname) ? [] : part.value
    } else {
      if (part.fieldname !== uploadFileField) fail('malformed_request')
      if (form.files.length === deps.config.maxFiles) fail('upload_limit', { values: limitsOf(deps.config) })
      form.files.push(await storeFile(deps, pending, part))
    }
  }
  return form
}

async function* readParts(request: FastifyRequest, config: Config): AsyncGenerator<Multipart> {
  const maxFileBytes = config.maxFileMb * 2 ** 20
  const maxBodyBytes = config.maxFiles * maxFileBytes + formOverheadBytes
  // Whoever goes on sending past all limits is not worth waiting for.
  let seenBytes = 0
  request.raw.on('data', (chunk: Buffer) => {
    seenBytes += chunk.length
    if (seenBytes > maxBodyBytes) request.raw.destroy()
  })
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) throw tooLarge(config)
  const limits = {
    fileSize: maxFileBytes,
    // One more than allowed, so that too many can be told from as many as allowed.
    files: config.maxFiles + 1,
    fields: maxTextParts,
    fieldSize: 10_000,
    parts: config.maxFiles + 1 + maxTextParts,
  }
  try {
    yield* request.parts({ limits })
  } catch (error) {
    // What the parser says of a broken body has no status.
    throw hasStatus(error) ? error : new Failure('malformed_request')
  } finally {
    // Most clients read an answer only after they have sent everything, so the rest of a refused form is read too.
    request.raw.unpipe()
    request.raw.resume()
  }
}

async function storeFile(
  { files, config }: ReceiveDeps,
  pending: PendingFiles,
  part: MultipartFile,
): Promise<ReceivedFile> {
  const hash = createHash('sha256')
  let bytes = 0
  let broken: Failure | null = null
  // A storage that fails throws its error in at the `yield`: nothing is wrong with the body then.
  let isReading = true
  part.file.once('limit', () => part.file.destroy(tooLarge(config)))

  async function* content() {
    try {
      for await (const chunk of part.file as AsyncIterable<Buffer>) {
        isReading = false
        bytes += chunk.length
        hash.update(chunk)
        yield chunk
        isReading = true
      }
      if (part.file.truncated) throw tooLarge(config)
    } catch (error) {
      if (error instanceof Failure) broken = error
      else if (isReading) broken = new Failure('malformed_request')
      throw broken ?? error
    }
  }

  const key = await pending.newKey()
  try {
    await files.put(key, Readable.from(content(), { objectMode: false }))
  } catch (error) {
    throw broken ?? error
  }
  return { key, bytes, sha256: hash.digest(), name: part.filename }
}

const limitsOf = ({ maxFiles, maxFileMb }: Config) => ({ maxFiles, maxSizeMb: maxFileMb })
const tooLarge = (config: Config) => new Failure('upload_too_large', { values: limitsOf(config) })
const hasStatus = (error: unknown) => error instanceof Error && ('statusCode' in error || error instanceof Failure)
