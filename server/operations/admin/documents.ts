import type { Deps } from '../../dependencies.ts'
import { countStates } from '../../features/uploads/documents/processing.queries.ts'
import { reprocessDocuments } from '../../features/uploads/documents/reprocess.ts'
import type { Db } from '../../platform/db/pool.ts'
import type { FileStorage } from '../../platform/storage/storage.ts'
import { adoptStorage } from '../../platform/storage/storage-identity.ts'
import { createProgress, type Output } from './command-line.ts'

/** Makes the configured storage that of the database, whatever it contains. @returns true */
export async function adoptFiles(db: Db, files: FileStorage, out: Output): Promise<boolean> {
  const marker = await adoptStorage(db, files)
  out.write(
    `  This storage now belongs to this database (marker ${marker}). Check its files with: lectern admin verify\n`,
  )
  return true
}

/** @returns true: documents that could not be processed are listed and remain to be processed. */
export async function reprocess(
  deps: Deps,
  options: { all: boolean; signal: AbortSignal },
  out: Output,
): Promise<boolean> {
  await reprocessDocuments(deps, { ...options, onProgress: createProgress(out, 'Reading documents') })
  if (options.signal.aborted) out.write('\n  Stopped. Run it again without --all to continue.\n')
  const states = await countStates(deps.db)
  if (states.length === 0) out.write('  No documents found.\n')
  for (const { product, state, problem, count } of states) {
    out.write(
      `  ${productNames[product]}: ${count} ${names[state] ?? state}${state === 'failed' ? ` (${problem})` : ''}\n`,
    )
  }
  return true
}

const productNames = { text: 'text', thumbnail: 'thumbnail', ocr: 'recognised text' }
const names: Record<string, string> = {
  done: 'done',
  empty: 'no text',
  pending: 'pending',
  none: 'not needed',
  failed: 'failed',
}
