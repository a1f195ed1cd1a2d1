import { Readable } from 'node:stream'
import type { Multipart, MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { uploadFileField } from '../../../packages/contract/notes.ts'
import type { Config } from '../../config.ts'
import { ApiError, fail } from '../../platform/http/api-error.ts'
import type { SpooledFile, SpoolFolder } from '../../platform/storage/spool.ts'
import type { ExpectedBytes } from './documents/upload-quota.ts'

/** A file on the local disk as it came, not looked at yet. */
export type ReceivedFile = SpooledFile & { name: string }
export type ReceivedForm = { fields: Record<string, unknown>; files: ReceivedFile[] }

/** Room for the text parts and the headers of the parts. */
const formOverheadBytes = 2 ** 20
const maxTextParts = 10

const maxFileBytesOf = ({ maxFileMb }: Config) => maxFileMb * 2 ** 20
const maxBodyBytesOf = (config: Config) => config.maxFiles * maxFileBytesOf(config) + formOverheadBytes

/**
 * Judges a form by its headers, before a byte of its body is read.
 * @returns what its files will come to.
 * @throws unsupported_media_type, upload_too_large
 */
export function checkUploadHeaders(request: FastifyRequest, config: Config): ExpectedBytes {
  if (!request.isMultipart()) fail('unsupported_media_type')
  const length = request.headers['content-length']
  const maxBytes = maxBodyBytesOf(config)
  if (Number(length ?? 0) > maxBytes) throw tooLarge(config)
  if (length === undefined) return { atLeast: 0, atMost: maxBytes }
  return { atLeast: Math.max(0, Number(length) - formOverheadBytes), atMost: Number(length) }
}

/**
 * Spools the files of a multipart form as they arrive, and collects its text parts. A text part sent twice becomes
 * something no schema takes for a text.
 * @throws malformed_request, body_too_large, upload_limit, upload_too_large
 */
export async function parseUploadForm(
  config: Config,
  folder: SpoolFolder,
  request: FastifyRequest,
): Promise<ReceivedForm> {
  const form: ReceivedForm = { fields: {}, files: [] }
  for await (const part of readParts(request, config)) {
    if (part.type === 'field') {
      form.fields[part.fieldname] = Object.hasOwn(form.fields, part.fieldname) ? [] : part.value
    } else {
      if (part.fieldname !== uploadFileField) fail('malformed_request')
      if (form.files.length === config.maxFiles) fail('upload_limit', { values: limitsOf(config) })
      form.files.push(await spoolFile(config, folder, part))
    }
  }
  return form
}

async function* readParts(request: FastifyRequest, config: Config): AsyncGenerator<Multipart> {
  const maxBodyBytes = maxBodyBytesOf(config)
  // Whoever goes on sending past all limits is not worth waiting for.
  let seenBytes = 0
  request.raw.on('data', (chunk: Buffer) => {
    seenBytes += chunk.length
    if (seenBytes > maxBodyBytes) request.raw.destroy()
  })
  const limits = {
    fileSize: maxFileBytesOf(config),
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
    throw hasStatus(error) ? error : new ApiError('malformed_request')
  } finally {
    // Most clients read an answer only after they have sent everything, so the rest of a refused form is read too.
    request.raw.unpipe()
    request.raw.resume()
  }
}

async function spoolFile(config: Config, folder: SpoolFolder, part: MultipartFile): Promise<ReceivedFile> {
  let broken: ApiError | null = null
  // A disk that fails throws its error in at the `yield`: nothing is wrong with the body then.
  let isReading = true
  part.file.once('limit', () => part.file.destroy(tooLarge(config)))

  async function* content() {
    try {
      for await (const chunk of part.file as AsyncIterable<Buffer>) {
        isReading = false
        yield chunk
        isReading = true
      }
      if (part.file.truncated) throw tooLarge(config)
    } catch (error) {
      if (error instanceof ApiError) broken = error
      else if (isReading) broken = new ApiError('malformed_request')
      throw broken ?? error
    }
  }

  try {
    const file = await folder.write(Readable.from(content(), { objectMode: false }))
    // As browsers encode names in forms.
    return { ...file, name: part.filename.replace(/%(?:22|0D|0A)/g, decodeURIComponent) }
  } catch (error) {
    throw broken ?? error
  }
}

const limitsOf = ({ maxFiles, maxFileMb }: Config) => ({ maxFiles, maxSizeMb: maxFileMb })
const tooLarge = (config: Config) => new ApiError('upload_too_large', { values: limitsOf(config) })
const hasStatus = (error: unknown) => error instanceof Error && ('statusCode' in error || error instanceof ApiError)
