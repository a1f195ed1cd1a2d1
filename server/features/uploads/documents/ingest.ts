import type { Deps } from '../../../dependencies.ts'
import { rejectOnAbort } from '../../../platform/db/waiting.ts'
import { fail } from '../../../platform/http/api-error.ts'
import type { PdfOperations } from '../../../platform/pdf/pdf-tools.ts'
import type { PendingFiles } from '../../../platform/storage/file-deletions.ts'
import type { SpooledFile, SpoolFolder } from '../../../platform/storage/spool.ts'
import { getNameVariants, type Identity } from '../../search/text-analysis/identity.ts'
import type { NewDocument } from './documents.ts'

/** A file on the local disk that may be stored as it is. */
export type IngestedFile = SpooledFile & Pick<NewDocument, 'pageCount' | 'drawnPages' | 'droppedLinks'>

/** Who has files admitted, and until when it is worth while. */
export type IngestContext = { userId: string; signal: AbortSignal }

/**
 * `name`: what a refusal calls the file. `author`: whom nothing in the file may name, if its note is anonymous.
 * `hiddenNamePages`: pages whose invisible text does.
 */
type IngestOptions = { name: string; author: Identity | null; hiddenNamePages?: number[] }

/**
 * Judges a file, and rewrites it without anything beside its pages that names its author if its note is anonymous.
 * @throws upload_infected, upload_unscannable, scanner_away, upload_not_pdf, upload_locked, upload_too_complex,
 *   cannot_anonymise, busy, the
 *   signal's reason
 */
export async function ingestFile(
  { pdf, scanner }: Pick<Deps, 'pdf' | 'scanner'>,
  { userId, signal }: IngestContext,
  folder: SpoolFolder,
  file: SpooledFile,
  { name, author, hiddenNamePages }: IngestOptions,
): Promise<IngestedFile> {
  // Before a process opens it, and without a place among those that wait for one.
  const found = await scanner?.scan(file.path, signal)
  if (found === 'infected') fail('upload_infected', { values: { fileName: name } })
  if (found === 'unscannable') fail('upload_unscannable', { values: { fileName: name } })
  return pdf.takeTurn(userId, signal, async (turn) => {
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
 * Rewrites a file of the storage, which stays as it is. It is fetched when its owner's turn has come, so that requests
 * that wait for it hold nothing, and before it takes one of the few places: a storage that hangs stops nobody else.
 * @returns null when there is no file under the key.
 * @throws cannot_anonymise, upload_too_complex, busy, the signal's reason
 */
export function admitAnonymised(
  { files, pdf }: Pick<Deps, 'files' | 'pdf'>,
  { userId, signal }: IngestContext,
  folder: SpoolFolder,
  fileKey: string,
  wish: IngestOptions & { author: Identity },
): Promise<IngestedFile | null> {
  let fetched: SpooledFile | null = null
  async function fetchFile() {
    const stored = await files.get(fileKey)
    fetched = stored && (await folder.write(stored))
  }
  async function judge(turn: PdfOperations) {
    if (!fetched) return null
    const inspection = await turn.inspect(fetched.path)
    return rewrite(turn, folder, fetched.path, wish, inspection.kind === 'ok' ? inspection.pageCount : null)
  }
  return pdf.takeTurn(userId, signal, judge, fetchFile)
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
  const { bytes, sha256, drawnPages, droppedLinks } = copy
  return { path: target, bytes, sha256: Buffer.from(sha256, 'hex'), pageCount, drawnPages, droppedLinks }
}

/** Puts an admitted file into the storage, under the key it will be claimed by. @throws the signal's reason */
export async function storeFile(pending: PendingFiles, file: IngestedFile, signal: AbortSignal): Promise<NewDocument> {
  const fileKey = await Promise.race([pending.store(file), rejectOnAbort(signal)])
  const { path: _, ...admitted } = file
  return { fileKey, ...admitted }
}
