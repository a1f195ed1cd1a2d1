import { expect, it } from 'vitest'
import { anonymisePdf } from '../../../packages/pdf-anonymiser/anonymise.ts'
import { inspectPdf } from './inspect.ts'
import { pdfLimits } from './limits.ts'
import { makeLargeFile } from './test/large-file.ts'

const mebibyte = 1024 * 1024
const file = makeLargeFile(170 * mebibyte)
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
