import { createHash } from 'node:crypto'
import { create as contentDisposition } from 'content-disposition'
import type { FastifyReply, FastifyRequest } from 'fastify'
import parseRange from 'range-parser'
import type { Deps } from '../deps.ts'
import { fail } from '../http/errors.ts'
import { findNoteFile } from './notes.queries.ts'

/**
 * Sends a note's PDF, whole or a single range of it. The ETag names the stored file, not its content, so that the
 * same bytes shared twice cannot be told to be the same.
 * @throws note_not_found
 */
export async function sendNoteFile(
  { db, files }: Pick<Deps, 'db' | 'files'>,
  noteId: string,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { title, fileKey, fileBytes } = (await findNoteFile(db, noteId)) ?? fail('note_not_found')
  const etag = `"${createHash('sha256').update(fileKey).digest('base64url').slice(0, 27)}"`

  reply.headers({
    etag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    'content-type': 'application/pdf',
    'content-disposition': contentDisposition(`${title}.pdf`, { type: 'inline' }),
    // Whatever a reader takes the file for, it may load and run nothing. `sandbox` would break the browsers' readers.
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'none'",
  })
  if (matches(request.headers['if-none-match'], etag)) return reply.status(304).send()

  const range = readRange(request, etag, fileBytes)
  if (range === 'unsatisfiable') return reply.status(416).header('content-range', `bytes */${fileBytes}`).send()
  const content = await files.get(fileKey, range ?? undefined)
  if (!content) throw new Error('The file of a note is missing in the storage')
  if (!range) return reply.header('content-length', fileBytes).send(content)
  return reply
    .status(206)
    .header('content-range', `bytes ${range.start}-${range.end}/${fileBytes}`)
    .header('content-length', range.end - range.start + 1)
    .send(content)
}

const matches = (ifNoneMatch: string | undefined, etag: string) =>
  ifNoneMatch?.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim())) ?? false

/** Null, and so the whole file, for no range, a malformed one, several, and one for another version (RFC 9110). */
function readRange(request: FastifyRequest, etag: string, fileBytes: number) {
  const { range, 'if-range': ifRange } = request.headers
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) return null
  const parsed = parseRange(fileBytes, range)
  if (parsed === -1) return 'unsatisfiable'
  if (parsed === -2 || parsed.type !== 'bytes' || parsed.length !== 1) return null
  return parsed[0] ?? null
}
