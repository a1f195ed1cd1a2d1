import type { WriteStream } from 'node:tty'
import type { Deps } from '../../dependencies.ts'
import { countStates } from '../../features/uploads/documents/processing.queries.ts'
import { reprocessDocuments } from '../../features/uploads/documents/reprocess.ts'
import type { Db } from '../../platform/db/pool.ts'
import type { FileStorage } from '../../platform/storage/storage.ts'
import { adoptStorage } from '../../platform/storage/storage-identity.ts'
import { createProgress } from './progress.ts'

/** Makes the configured storage that of the database, whatever it contains. @returns true */
export async function adoptFiles(db: Db, files: FileStorage, out: Pick<WriteStream, 'write'>): Promise<boolean> {
  const marker = await adoptStorage(db, files)
  out.write(`  The files of this database are here from now on (marker ${marker}). See what is there with: verify\n`)
  return true
}

/** @returns true: documents that could not be processed are listed and remain to be processed. */
export async function reindex(
  deps: Deps,
  options: { all: boolean; signal: AbortSignal },
  out: Pick<WriteStream, 'write' | 'isTTY'>,
): Promise<boolean> {
  await reprocessDocuments(deps, { ...options, onProgress: createProgress(out, 'Reading documents') })
  if (options.signal.aborted) out.write('\n  Stopped. The same command without --all goes on where it was.\n')
  const states = await countStates(deps.db)
  if (states.length === 0) out.write('  There are no documents.\n')
  for (const { product, state, problem, count } of states) {
    out.write(
      `  ${productNames[product]}: ${count} ${names[state] ?? state}${state === 'parked' ? ` (${problem})` : ''}\n`,
    )
  }
  return true
}

const productNames = { text: 'text', picture: 'picture', recognition: 'words on pages that are pictures' }
const names: Record<string, string> = {
  done: 'made',
  empty: 'without any to be read',
  waiting: 'still to be made',
  none: 'not asked for',
  parked: 'given up',
}
