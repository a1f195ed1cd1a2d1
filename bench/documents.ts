import { randomUUID } from 'node:crypto'
import { PDFDocument, PDFName } from '@cantoo/pdf-lib'
import { createRandom } from '../scripts/demo/random.ts'
import type { Call } from './load.ts'

/** The side in pixels of an image whose PDF has 1 MB. */
export const sideOf1MB = 591

/** Makes a page like a scanner's, with some lines of text: the image does not compress. */
export async function makeScan(text: string, side: number): Promise<Buffer> {
  const { next } = createRandom(5)
  const document = await PDFDocument.create({ updateMetadata: false })
  const page = document.addPage([595, 842])
  page.drawText(text, { x: 40, y: 810, size: 11, lineHeight: 14, maxWidth: 515 })
  const { context } = document
  const pixels = Buffer.from(Array.from({ length: side * side * 3 }, () => Math.floor(next() * 256)))
  const image = { Type: 'XObject', Subtype: 'Image', Width: side, Height: side, ColorSpace: 'DeviceRGB' }
  page.node.setXObject(PDFName.of('Scan'), context.register(context.stream(pixels, { ...image, BitsPerComponent: 8 })))
  page.node.addContentStream(context.register(context.stream('q 500 0 0 600 48 40 cm /Scan Do Q')))
  return Buffer.from(await document.save({ useObjectStreams: false }))
}

/** Returns the upload of a file to Lectern or Directus. No two files are the same. */
export function upload(path: string, pdf: Buffer, fields: Record<string, string> = {}): Call {
  const boundary = 'lectern-bench-boundary'
  const part = (head: string) => `--${boundary}\r\nContent-Disposition: form-data; ${head}`
  const texts = Object.entries(fields).map(([name, value]) => part(`name="${name}"\r\n\r\n${value}\r\n`))
  const file = part('name="note"; filename="A scan.pdf"\r\nContent-Type: application/pdf\r\n\r\n')
  const end = `\n%${randomUUID()}\r\n--${boundary}--\r\n`
  const body = Buffer.concat([Buffer.from(texts.join('') + file), pdf, Buffer.from(end)])
  return { path, method: 'POST', headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, body }
}

export const uploadToLectern = (pdf: Buffer, isAnonymous: boolean): Call =>
  upload('/api/notes', pdf, { courseCode: 'MAT137', academicYear: '2025–26', isAnonymous: `${isAnonymous}` })
