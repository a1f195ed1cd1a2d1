import { Readable } from 'node:stream'
import type { Multipart, MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { uploadFileField } from '../../../packages/contract/notes.ts'
import type { Config } from '../../config.ts'
import { ApiError, fail } from '../../platform/http/api-error.ts'
import type { SpoolFolder } from '../../platform/storage/spool.ts'
import type { SpooledFile } from '../../platform/storage/storage.ts'
import type { ExpectedBytes } from './documents/upload-quota.ts'

/** A received file on the local disk, not inspected yet. */
export type ReceivedFile = SpooledFile & { name: string }
export type ReceivedForm = { fields: Record<string, unknown>; files: ReceivedFile[] }

/** Extra bytes for the text parts and the part headers. */
const formOverheadBytes = 2 ** 20
const maxTextParts = 10

const maxFileBytesOf = ({ maxFileMb }: Config) => maxFileMb * 2 ** 20
const maxBodyBytesOf = (config: Config) => config.maxFiles * maxFileBytesOf(config) + formOverheadBytes

/**
 * Checks the headers of a form before its body is read.
 * @returns the expected size of its files.
 * @throws unsupported_media_type, upload_too_large
 */
export function checkUploadHeaders(request: FastifyRequest, config: Config): ExpectedBytes {
  if (!request.isMultipart()) fail('unsupported_media_type')
  const length = request.headers['content-length']
  const maxBytes = maxBodyBytesOf(config)
  if (Number(length ?? 0) > maxBytes) throw tooLarge(config)
  if (length === undefined) return { minBytes: 0, maxBytes: maxBytes }
  return { minBytes: Math.max(0, Number(length) - formOverheadBytes), maxBytes: Number(length) }
}

/**
 * Spools the files of a multipart form as they arrive, and collects its text parts. A text part sent twice becomes an
 * array, which every schema rejects.
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
  // A client that exceeds all limits is disconnected instead of waited for.
  let seenBytes = 0
  request.raw.on('data', (chunk: Buffer) => {
    seenBytes += chunk.length
    if (seenBytes > maxBodyBytes) request.raw.destroy()
  })
  const limits = {
    fileSize: maxFileBytesOf(config),
    // The parser accepts one file more than allowed, so that too many files can be detected.
    files: config.maxFiles + 1,
    fields: maxTextParts,
    fieldSize: 10_000,
    parts: config.maxFiles + 1 + maxTextParts,
  }
  try {
    yield* request.parts({ limits })
  } catch (error) {
    // The parser's errors about a malformed body have no status.
    throw hasStatus(error) ? error : new ApiError('malformed_request')
  } finally {
    // Most clients read the response only after sending everything, so the rest of a refused form is read too.
    request.raw.unpipe()
    request.raw.resume()
  }
}

async function spoolFile(config: Config, folder: SpoolFolder, part: MultipartFile): Promise<ReceivedFile> {
  let broken: ApiError | null = null
  // A disk error is thrown at the `yield`; it does not mean that the body is malformed.
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
    // Browsers encode these characters of file names in forms.
    // A part of the type application/octet-stream is a file even without a file name, despite its type.
    const fileName: string | undefined = part.filename
    return { ...file, name: (fileName ?? '').replace(/%(?:22|0D|0A)/g, decodeURIComponent) }
  } catch (error) {
    throw broken ?? error
  }
}

const limitsOf = ({ maxFiles, maxFileMb }: Config) => ({ maxFiles, maxSizeMb: maxFileMb })
const tooLarge = (config: Config) => new ApiError('upload_too_large', { values: limitsOf(config) })
const hasStatus = (error: unknown) => error instanceof Error && ('statusCode' in error || error instanceof ApiError)
