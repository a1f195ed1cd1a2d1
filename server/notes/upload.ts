import { buffer } from 'node:stream/consumers'
import type { FastifyRequest } from 'fastify'
import { type Note, type UploadFields, uploadFields } from '../../contract/notes.ts'
import type { Deps } from '../deps.ts'
import { fail } from '../failure.ts'
import { openPendingFiles, type PendingFiles } from '../files/removals.ts'
import { getUser } from '../users/users.ts'
import * as queries from './notes.queries.ts'
import { refuseUnofferedYear, storeAnonymised } from './notes.ts'
import { type ReceivedFile, receiveForm } from './receive.ts'
import { anonymousTitle, titleOfFile } from './title.ts'
import { findNotesById } from './visible-notes.ts'

const missing = 'A file that was just stored is missing'

type UploadDeps = Pick<Deps, 'db' | 'files' | 'pdf' | 'config' | 'log'>

/**
 * Takes the parts of one upload in any order and keeps all of its files or none. Files are stored as they arrive and
 * checked before the notes are inserted; whatever goes wrong, nothing of them stays.
 * @returns the notes in the order of the files.
 * @throws what `receiveForm` throws, invalid_input, upload_without_file, upload_not_pdf, cannot_anonymise, busy
 */
export async function uploadNotes(deps: UploadDeps, userId: string, request: FastifyRequest): Promise<Note[]> {
  const { db, files, log } = deps
  const pending = openPendingFiles(db, files, log)
  try {
    const form = await receiveForm(deps, pending, request)
    const details = parseFields(form.fields)
    refuseUnofferedYear(details.academicYear, deps.config.academicYearStartMonth)
    if (form.files.length === 0) fail('upload_without_file')

    const notes = await prepareNotes(deps, pending, userId, details, form.files)
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
  const author = details.isAnonymous ? await getUser(deps.db, userId) : null
  const notes: queries.NewNote[] = []
  for (const { name, ...file } of received) {
    const title = titleOfFile(name)
    await refuseUnreadable(deps, file.key, title)
    const kept = author ? await storeAnonymised(deps, pending, file.key, title) : file
    if (!kept) throw new Error(missing)
    notes.push({
      ...details,
      instructor: details.instructor,
      userId,
      title: author ? anonymousTitle(title, author) : title,
      file: kept,
    })
  }
  return notes
}

async function refuseUnreadable({ files, pdf }: UploadDeps, fileKey: string, fileName: string): Promise<void> {
  const content = await files.get(fileKey)
  if (!content) throw new Error(missing)
  const { kind } = await pdf.inspect(await buffer(content))
  if (kind === 'unreadable') fail('upload_not_pdf', { values: { fileName } })
}
