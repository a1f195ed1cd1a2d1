import { expect } from 'vitest'
import { readText } from '../../test/read-text.ts'
import { anonymisePdf } from '../anonymise.ts'

/** The anonymous copy, or null where there is none. Every copy that a test makes says what its original says. */
export async function findCopy(file: Uint8Array): Promise<Buffer | null> {
  const copy = await anonymisePdf(file)
  if (!copy) return null
  expect(await readText(copy)).toEqual(await readText(file))
  return Buffer.from(copy)
}

export async function makeCopy(file: Uint8Array): Promise<Buffer> {
  const copy = await findCopy(file)
  if (!copy) throw new Error('refused')
  return copy
}
