import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Multipart, MultipartFile } from '@fastify/multipart'
import { type Note, type UploadFields, uploadFields, uploadFileField } from '../../contract/notes.ts'
import type { Deps } from '../deps.ts'
import { openPendingFiles, type PendingFiles } from '../files/removals.ts'
import { fail } from '../http/errors.ts'
import { findNotesById } from '../search/search.ts'
import * as queries from './notes.queries.ts'
import { refuseFutureYear, storeAnonymised } from './notes.ts'
import { anonymousTitle, titleOfFile } from './title.ts'

type UploadDeps = Pick<Deps, 'db' | 'files' | 'pdf' | 'config' | 'log'>
type ReceivedFile = queries.NewNote['file'] & { name: string }

/**
 * Takes the parts of one upload in any order and keeps all of its files or none. Files are stored as they arrive and
 * checked before the notes are inserted; whatever goes wrong, nothing of them stays.
 * @throws invalid_input, upload_without_file, upload_limit, upload_too_large, upload_not_pdf, cannot_anonymise
 */
export async function uploadNotes(deps: UploadDeps, userId: string, parts: AsyncIterable<Multipart>): Promise<Note[]> {
  const { db, files, log } = deps
  const pending = openPendingFiles(db, files, log)
  try {
    const { fields, received } = await receive(deps, pending, parts)
    const details = parseFields(fields)
    refuseFutureYear(details.academicYear, deps.config.academicYearStartMonth)
    if (received.length === 0) fail('upload_without_file')

    const notes = await prepareNotes(deps, pending, userId, details, received)
    const ids = await db.transaction().execute(async (tx) => {
      await pending.claim(
        tx,
        notes.map((note) => note.file.key),
      )
      return queries.insertNotes(tx, notes)
    })
    return await findNotesById(db, userId, ids)
  } finally {
    await pending.discard()
  }
}

async function receive(deps: UploadDeps, pending: PendingFiles, parts: AsyncIterable<Multipart>) {
  const fields: Record<string, unknown> = {}
  const received: ReceivedFile[] = []
  for await (const part of parts) {
    if (part.type === 'field') {
      // A field sent twice is refused by its schema, which wants a text.
      fields[part.fieldname] = Object.hasOwn(fields, part.fieldname) ? [] : part.value
    } else {
      if (part.fieldname !== uploadFileField) fail('malformed_request')
      if (received.length === deps.config.maxFiles) fail('upload_limit', { values: limitsOf(deps) })
      received.push(await storeFile(deps, pending, part))
    }
  }
  return { fields, received }
}

async function storeFile(deps: UploadDeps, pending: PendingFiles, part: MultipartFile): Promise<ReceivedFile> {
  const maxBytes = deps.config.maxFileMb * 2 ** 20
  const hash = createHash('sha256')
  let bytes = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      hash.update(chunk)
      done(null, chunk)
    },
  })
  const key = await pending.newKey()
  const stored = deps.files.put(key, counted)
  const [sent] = await Promise.allSettled([pipeline(part.file, counted), stored])
  if (part.file.truncated || bytes > maxBytes) fail('upload_too_large', { values: limitsOf(deps) })
  if (sent.status === 'rejected') throw sent.reason
  await stored
  return { key, bytes, sha256: hash.digest(), name: part.filename }
}

function parseFields(fields: Record<string, unknown>): UploadFields {
  const result = uploadFields.safeParse(fields)
  if (result.success) return result.data
  const problems: Record<string, string> = {}
  for (const issue of result.error.issues) problems[String(issue.path[0])] ??= issue.message
  fail('invalid_input', { fields: problems })
}

/** Checks every file by its content, and rewrites it when the note is anonymous. One at a time, to bound memory. */
async function prepareNotes(
  deps: UploadDeps,
  pending: PendingFiles,
  userId: string,
  details: UploadFields,
  received: ReceivedFile[],
): Promise<queries.NewNote[]> {
  const author = details.isAnonymous ? await queries.getAuthor(deps.db, userId) : null
  const notes: queries.NewNote[] = []
  for (const { name, ...file } of received) {
    const title = titleOfFile(name)
    await refuseUnreadable(deps, file.key, title)
    notes.push({
      ...details,
      instructor: details.instructor,
      userId,
      title: author ? anonymousTitle(title, author) : title,
      file: author ? await storeAnonymised(deps, pending, file.key, title) : file,
    })
  }
  return notes
}

async function refuseUnreadable({ files, pdf }: UploadDeps, fileKey: string, fileName: string): Promise<void> {
  const content = await files.get(fileKey)
  if (!content) throw new Error('A file that was just stored is missing')
  const { kind } = await pdf.inspect(await buffer(content))
  if (kind === 'unreadable') fail('upload_not_pdf', { values: { fileName } })
}

const limitsOf = ({ config }: UploadDeps) => ({ maxFiles: config.maxFiles, maxSizeMb: config.maxFileMb })
