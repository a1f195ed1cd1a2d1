import { move } from 'piscina'
import { anonymisePdf } from './anonymise.ts'
import { type Inspection, inspectPdf } from './inspect.ts'

/** The thread's side of `pdf-tools.ts`: one exported function a task. Whatever it throws reaches the caller's promise. */

export async function inspect(bytes: Uint8Array): Promise<Inspection> {
  return inspectPdf(bytes)
}

export async function anonymise(bytes: Uint8Array): Promise<Uint8Array | null> {
  const rewritten = await anonymisePdf(bytes)
  return rewritten && (move(rewritten) as unknown as Uint8Array)
}

/** Reached, the thread has started and PDFium is loaded. */
export const ping = () => true
