import type { WriteStream } from 'node:tty'
import type { Deps } from '../../server/deps.ts'
import { countStates } from '../../server/documents/processing.queries.ts'
import { reindexDocuments } from '../../server/documents/reindex.ts'
import { createProgress } from '../progress.ts'

/** @returns true: what could not be made is told of, and waits. */
export async function reindex(
  deps: Deps,
  options: { all: boolean; signal: AbortSignal },
  out: Pick<WriteStream, 'write' | 'isTTY'>,
): Promise<boolean> {
  await reindexDocuments(deps, { ...options, onProgress: createProgress(out, 'Reading documents') })
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
