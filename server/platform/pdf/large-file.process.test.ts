import { deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { anonymisePdf } from '../../../packages/pdf-anonymiser/anonymise.ts'
import { buildPdf, stream } from '../../../packages/pdfium/test/build-pdf.ts'
import { inspectPdf } from './inspect.ts'
import { pdfLimits } from './limits.ts'

const mebibyte = 1024 * 1024
const pixels = deflateSync(Buffer.alloc(10_240 * 17_408), { level: 0 })
const entries = '/Type/XObject/Subtype/Image/Width 10240/Height 17408/ColorSpace/DeviceGray/BitsPerComponent 8'
const file = buildPdf({
  resources: '/XObject<</X 6 0 R>>',
  content: 'q 300 0 0 200 0 0 cm /X Do Q',
  objects: [stream(pixels, `${entries}/Filter/FlateDecode`)],
})
const limits = pdfLimits(200 * mebibyte)

it('opens and copies a file of 170 MiB where 200 are allowed', { timeout: 300_000 }, async () => {
  expect(await inspectPdf(file, limits)).toEqual({ kind: 'ok', pageCount: 1 })
  const copy = await anonymisePdf(file, { limits })
  expect(copy?.bytes.length).toBeGreaterThan(170 * mebibyte - file.length / 100)
})

it('stays within the memory that the largest file may need', async () => {
  expect(await inspectPdf(file, { pdfiumMaxHeapBytes: 160 * mebibyte }).catch((error: Error) => error)).toBeInstanceOf(
    Error,
  )
})
