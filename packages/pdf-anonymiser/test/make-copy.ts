import { expect } from 'vitest'
import { readText } from '../../pdfium/test/read-text.ts'
import { type AnonymousCopyOptions, anonymisePdf } from '../anonymise.ts'

/**
 * Returns the anonymous copy, or null if there is none or a page was rasterised. Every copy must contain the text of
 * its original. Text of annotations may follow, because pdf.js reads it only after it has become page content.
 */
export async function findCopy(file: Uint8Array, options?: AnonymousCopyOptions): Promise<Buffer | null> {
  const copy = await anonymisePdf(file, options)
  if (!copy || copy.drawnPages.length > 0) return null
  const texts = await readText(file)
  const copied = await readText(copy.bytes)
  const hasAnnotations = Buffer.from(file).includes('/Annots')
  expect(hasAnnotations ? copied.map((text, at) => text.slice(0, texts[at]?.length)) : copied).toEqual(texts)
  return Buffer.from(copy.bytes)
}

export async function makeCopy(file: Uint8Array, options?: AnonymousCopyOptions): Promise<Buffer> {
  const copy = await findCopy(file, options)
  if (!copy) throw new Error('refused')
  return copy
}
