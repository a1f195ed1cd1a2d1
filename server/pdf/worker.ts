import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { move } from 'piscina'
import { anonymisePdf } from './anonymiser/anonymise.ts'
import { type Inspection, inspectPdf } from './inspect.ts'

/** The thread's side of `pdf-tools.ts`: one exported function a task. Whatever it throws reaches the caller's promise. */

/**
 * The memory of a PDFium that is done with stays until the garbage collector comes by, who sees no hurry: a few large
 * files in a row would pile up. So it is called before each file (4 ms).
 */
setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

async function tidyUp(): Promise<void> {
  await setImmediate()
  collectGarbage()
}

export async function inspect(bytes: Uint8Array): Promise<Inspection> {
  await tidyUp()
  return inspectPdf(bytes)
}

export async function anonymise(bytes: Uint8Array): Promise<Uint8Array | null> {
  await tidyUp()
  const rewritten = await anonymisePdf(bytes)
  return rewritten && (move(rewritten) as unknown as Uint8Array)
}

/** Reached, the thread has started and PDFium is loaded. */
export const ping = () => true
