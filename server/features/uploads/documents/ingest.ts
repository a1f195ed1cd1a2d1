import type { Deps } from '../../../dependencies.ts'
import { rejectOnAbort } from '../../../platform/db/waiting.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { toSpooledFile } from '../../../platform/pdf/messages.ts'
import type { PdfOperations } from '../../../platform/pdf/pdf-tools.ts'
import type { PendingFiles } from '../../../platform/storage/file-deletions.ts'
import type { SpoolFolder } from '../../../platform/storage/spool.ts'
import type { SpooledFile } from '../../../platform/storage/storage.ts'
import { getNameVariants, type Identity } from '../../search/text-analysis/identity.ts'
import type { NewDocument } from './documents.ts'

/** A file on the local disk that may be stored as it is. */
export type IngestedFile = SpooledFile & Pick<NewDocument, 'pageCount' | 'drawnPages' | 'droppedLinks'>

/** The user whose file is ingested, and the signal that cancels the work. */
export type IngestContext = { userId: string; signal: AbortSignal }

/**
 * `name`: the file's name in error messages. `author`: the name to remove if the note is anonymous, else null.
 * `hiddenNamePages`: pages whose invisible text contains that name.
 */
type IngestOptions = { name: string; author: Identity | null; hiddenNamePages?: number[] }

/**
 * Scans and inspects a file. For an anonymous note it also rewrites the file, so that nothing outside the visible page
 * content names the author.
 * @throws upload_infected, upload_unscannable, scanner_away, upload_not_pdf, upload_locked, upload_too_complex,
 *   cannot_anonymise, busy, the signal's reason
 */
export async function ingestFile(
  { pdf, scanner }: Pick<Deps, 'pdf' | 'scanner'>,
  { userId, signal }: IngestContext,
  folder: SpoolFolder,
  file: SpooledFile,
  { name, author, hiddenNamePages }: IngestOptions,
): Promise<IngestedFile> {
  // The scan runs before a process opens the file, and outside the queue for these processes.
  const found = await scanner?.scan(file.path, signal)
  if (found === 'infected') fail('upload_infected', { values: { fileName: name } })
  if (found === 'unscannable') fail('upload_unscannable', { values: { fileName: name } })
  return pdf.runForOwner(userId, signal, async (turn) => {
    const inspection = await turn.inspect(file.path)
    if (inspection.kind === 'unreadable') fail('upload_not_pdf', { values: { fileName: name } })
    if (inspection.kind === 'locked') fail('upload_locked', { values: { fileName: name } })
    if (inspection.kind === 'too-costly') fail('upload_too_complex', { values: { fileName: name } })
    const { pageCount } = inspection
    return author
      ? rewrite(turn, folder, file.path, { name, author, hiddenNamePages }, pageCount)
      : { ...file, pageCount, drawnPages: [], droppedLinks: 0 }
  })
}

/**
 * Rewrites a copy of a stored file. The file is fetched when its owner's slot is free, so waiting requests hold no
 * resources, and before a process is taken, so a hanging storage blocks no other owner.
 * @returns null if the storage has no file for the key.
 * @throws cannot_anonymise, upload_too_complex, busy, the signal's reason
 */
export function anonymiseStoredFile(
  { files, pdf }: Pick<Deps, 'files' | 'pdf'>,
  { userId, signal }: IngestContext,
  folder: SpoolFolder,
  fileKey: string,
  options: IngestOptions & { author: Identity },
): Promise<IngestedFile | null> {
  let fetched: SpooledFile | null = null
  async function fetchFile() {
    const stored = await files.get(fileKey)
    fetched = stored && (await folder.write(stored))
  }
  async function rewriteFetched(turn: PdfOperations) {
    if (!fetched) return null
    const inspection = await turn.inspect(fetched.path)
    return rewrite(turn, folder, fetched.path, options, inspection.kind === 'ok' ? inspection.pageCount : null)
  }
  return pdf.runForOwner(userId, signal, rewriteFetched, fetchFile)
}

async function rewrite(
  turn: PdfOperations,
  folder: SpoolFolder,
  path: string,
  { name, author, hiddenNamePages }: IngestOptions & { author: Identity },
  pageCount: number | null,
): Promise<IngestedFile> {
  const target = folder.newPath()
  const copy = await turn.anonymise(path, target, getNameVariants(author), hiddenNamePages)
  if (!copy) fail('cannot_anonymise', { values: { fileName: name } })
  if ('kind' in copy) fail('upload_too_complex', { values: { fileName: name } })
  const { drawnPages, droppedLinks } = copy
  return { ...toSpooledFile(target, copy), pageCount, drawnPages, droppedLinks }
}

/** Stores an ingested file under a key that the caller must claim later. @throws the signal's reason */
export async function storeFile(pending: PendingFiles, file: IngestedFile, signal: AbortSignal): Promise<NewDocument> {
  const fileKey = await Promise.race([pending.store(file), rejectOnAbort(signal)])
  const { path: _, ...admitted } = file
  return { fileKey, ...admitted }
}
