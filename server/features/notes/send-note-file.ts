import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../dependencies.ts'
import type { Viewer } from '../../platform/db/viewer.ts'
import { fail } from '../../platform/http/api-error.ts'
import type { ByteRange, FileHeaders } from '../../platform/storage/storage.ts'
import { findNoteFile } from './notes.queries.ts'

/**
 * Sends a note's PDF or one range of it, or redirects to the storage, which supports ranges itself. Files of anonymous
 * notes are always sent from here: a storage reveals when it received a file, and so which notes were anonymised
 * together. The ETag is made from the file key, so that equal files of two notes cannot be matched.
 * @throws note_not_found
 */
export async function sendNoteFile(
  { readAnyway, files }: Pick<Deps, 'readAnyway' | 'files'>,
  viewer: Viewer,
  noteId: string,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  for (let missingKey: string | null = null; ; ) {
    const note = (await readAnyway((db) => findNoteFile(db, viewer, noteId))) ?? fail('note_not_found')
    const { fileKey, fileBytes } = note
    if (fileKey === missingKey) throw new Error('The file of a note is missing in the storage')
    const etag = `"${createHash('sha256').update(fileKey).digest('base64url').slice(0, 27)}"`

    if (matches(request.headers['if-none-match'], etag)) return describe(reply, note.title, etag).status(304).send()
    // A HEAD request needs only the headers, so the file is not opened.
    const isHead = request.method === 'HEAD'
    const address = isHead || note.isAnonymous ? null : await files.createDownloadUrl(fileKey, headersOf(note.title))
    if (address) return reply.header('cache-control', privately).redirect(address, 302)
    const range = readRange(request, etag, fileBytes)
    if (range === 'unsatisfiable') {
      return describe(reply, note.title, etag).status(416).header('content-range', `bytes */${fileBytes}`).send()
    }
    const content = isHead ? Readable.from([]) : await files.get(fileKey, range ?? undefined)
    if (!content) {
      // The file was deleted or replaced meanwhile, so the note is read again.
      missingKey = fileKey
      continue
    }
    describe(reply, note.title, etag)
    return sendContent(reply, content, fileBytes, range)
  }
}

/** @param content begins at the start of the range, if there is one. */
export function sendContent(reply: FastifyReply, content: Readable, fileBytes: number, range: ByteRange | null) {
  if (!range) return reply.header('content-length', fileBytes).send(content)
  const { start, end } = range
  const headers = { 'content-range': `bytes ${start}-${end}/${fileBytes}`, 'content-length': end - start + 1 }
  return reply.status(206).headers(headers).send(content)
}

const privately = 'private, no-store'

const headersOf = (title: string): FileHeaders => ({
  'cache-control': privately,
  'content-type': 'application/pdf',
  'content-disposition': contentDisposition(`${title}.pdf`, { type: 'inline' }),
})

const describe = (reply: FastifyReply, title: string, etag: string) =>
  reply.headers({
    ...headersOf(title),
    etag,
    'accept-ranges': 'bytes',
    // However a reader interprets the file, it may load and run nothing. `sandbox` would break the browsers' PDF
    // readers.
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'none'",
  })

const matches = (ifNoneMatch: string | undefined, etag: string) =>
  ifNoneMatch?.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim())) ?? false

/** If-Range with another version of the file requests the whole file. */
export function readRange({ headers }: Pick<FastifyRequest, 'headers'>, etag: string, fileBytes: number) {
  const ifRange = headers['if-range']
  return ifRange === undefined || ifRange === etag ? readByteRange(headers.range, fileBytes) : null
}

/**
 * Parses a Range header (RFC 9110, section 14). Returns null, which means the whole file, for no range, a malformed one
 * or several separate ones; ranges that touch are joined.
 */
export function readByteRange(header: string | undefined, fileBytes: number): ByteRange | 'unsatisfiable' | null {
  const list = /^bytes=(.+)$/i.exec(header ?? '')?.[1]
  if (list === undefined) return null
  let joined: ByteRange | null = null
  for (const spec of list.split(',')) {
    const [, first = '', last = ''] = /^\s*(\d*)-(\d*)\s*$/.exec(spec) ?? []
    if (first === '' && last === '') return null
    // A suffix such as `-500` may be longer than the file.
    const start = first === '' ? Math.max(0, fileBytes - Number(last)) : Number(first)
    const end = first === '' || last === '' ? fileBytes - 1 : Math.min(Number(last), fileBytes - 1)
    if (start > end) continue
    if (joined && (start > joined.end + 1 || end < joined.start - 1)) return null
    joined = joined ? { start: Math.min(start, joined.start), end: Math.max(end, joined.end) } : { start, end }
  }
  return joined ?? 'unsatisfiable'
}
