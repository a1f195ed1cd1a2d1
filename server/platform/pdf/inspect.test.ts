import { expect, it } from 'vitest'
import { appendRevision, buildPdf, joinPieces, layOut, stream } from '../../../packages/pdfium/test/build-pdf.ts'
import { brokenFiles, makeEncryptedFile } from '../../../packages/pdfium/test/hostile-files.ts'
import { inspectPdf } from './inspect.ts'

const ok = { kind: 'ok', pageCount: 1 }

it('opens a PDF and counts its pages', async () => {
  expect(await inspectPdf(buildPdf())).toEqual(ok)
  const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>'
  const tree = '<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R]/Count 3>>'
  const three = layOut(['<</Type/Catalog/Pages 2 0 R>>', tree, page, page, page])
  expect(await inspectPdf(three)).toEqual({ kind: 'ok', pageCount: 3 })
})

it('opens what readers open: revisions, blanks before the header, a wrong table, bytes after the end', async () => {
  expect(await inspectPdf(appendRevision(buildPdf(), 4, stream('')))).toEqual(ok)
  expect(await inspectPdf(joinPieces('\xef\xbb\xbf\r\n', buildPdf()))).toEqual(ok)
  const text = buildPdf().toString('latin1')
  const misplaced = Buffer.from(text.replace(/startxref\n\d+/, 'startxref\n7'), 'latin1')
  expect(await inspectPdf(misplaced)).toEqual(ok)
  expect(await inspectPdf(joinPieces(buildPdf(), '\0'.repeat(500)))).toEqual(ok)
})

it.each(Object.entries(brokenFiles))('refuses %s', async (_what, file) => {
  expect(await inspectPdf(file)).toEqual({ kind: 'unreadable' })
})

it('tells a file that asks for a password from one that opens without', async () => {
  expect(await inspectPdf(await makeEncryptedFile('secret'))).toEqual({ kind: 'locked' })
  expect(await inspectPdf(await makeEncryptedFile(''))).toEqual(ok)
})
