import { PDFDict, PDFDocument, PDFHexString, PDFName } from '@cantoo/pdf-lib'
import { expect, it } from 'vitest'
import { buildPdf, drawing, layOut, stream } from '../pdfium/test/build-pdf.ts'
import { brokenFiles, makeEncryptedFile } from '../pdfium/test/hostile-files.ts'
import { renderPdf } from '../pdfium/test/render-pdf.ts'
import { anonymisePdf } from './anonymise.ts'
import { canary, canaryFiles } from './test/canary-files.ts'
import { holdsCanary } from './test/expand-pdf.ts'
import { findCopy, makeCopy } from './test/make-copy.ts'

it.each(Object.entries(canaryFiles))('an anonymised file does not hold a name from %s', async (_place, file) => {
  expect((await holdsCanary(file, canary)) || (await holdsCanary(file, canary.replace(' ', '')))).toBe(true)

  const copy = await makeCopy(file)
  expect(await renderPdf(copy)).toHaveLength(1)
  expect(await holdsCanary(copy, canary)).toBe(false)
  expect(await holdsCanary(copy, canary.replace(' ', ''))).toBe(false)
  expect(await holdsCanary(copy, 'Zyxwvut')).toBe(false)
})

it('an anonymised file is the same for any author and time: only the pages go into it', async () => {
  const notes = (author: string, id: string) =>
    buildPdf({
      objects: [`<</Author(${author})/CreationDate(D:20260101)/Producer(${author} Writer)>>`],
      trailer: `/Info 6 0 R/ID[<${id}><${id}>]`,
      catalog: `/Lang(${author})`,
    })
  const copies = [await makeCopy(notes('Ada', '00')), await makeCopy(notes('Grace Brewster', 'ff'))]
  expect(copies[0]).toEqual(copies[1])
  expect(copies[0]?.toString('latin1')).toMatch(/^trailer\n<<\/Root \d+ 0 R\/Size \d+>>$/m)
})

it('an anonymised file keeps the exact numbers of page boxes, whether or not the objects of the file are packed', async () => {
  const document = await PDFDocument.create()
  const page = document.addPage([595.28, 841.889763779528])
  page.setCropBox(0.1, -0.000123, 595.275590551, 841.89)
  page.node.set(PDFName.of('UserUnit'), document.context.obj(1.0000001))
  for (const useObjectStreams of [false, true]) {
    const copied = (await PDFDocument.load(await makeCopy(await document.save({ useObjectStreams })))).getPage(0)
    for (const entry of ['MediaBox', 'CropBox', 'UserUnit'])
      expect(copied.node.get(PDFName.of(entry))?.toString()).toBe(page.node.get(PDFName.of(entry))?.toString())
  }
})

it('an anonymised file keeps links to web pages and within the file', async () => {
  const link = (target: string) => `<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Border[0 0 0]${target}>>`
  const page = (entries = '') => `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]${entries}>>`
  const links = [
    link('/A<</S/URI/URI(https://uni.example/course?week=3#top)>>'),
    link('/Dest[4 0 R/XYZ 1 2 0]'),
    link('/A<</S/GoTo/D(chapter)>>'),
    link('/Dest/older'),
    link('/A<</S/GoTo/D[99 0 R/Fit]>>'),
  ]
  const copy = await makeCopy(
    layOut([
      '<</Type/Catalog/Pages 2 0 R/Names<</Dests<</Kids[5 0 R]>>>>/Dests<</older[3 0 R/Fit]>>>>',
      '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
      page(`/Annots[${links.join('')}]`),
      page(),
      '<</Names[(chapter)<</D[4 0 R/FitH 77]>>]>>',
    ]),
  )
  const [first, second] = (await PDFDocument.load(copy)).getPages()
  const annotations = first?.node.Annots()?.asArray() ?? []
  const entries = annotations.map((item) => first?.node.context.lookup(item, PDFDict))
  expect(entries.map((entry) => entry?.get(PDFName.of('Dest'))?.toString())).toEqual([
    undefined,
    `[ ${second?.ref} /XYZ 1 2 0 ]`,
    `[ ${second?.ref} /FitH 77 ]`,
    `[ ${first?.ref} /Fit ]`,
  ])
  const address = entries[0]?.lookup(PDFName.of('A'), PDFDict).lookup(PDFName.of('URI'), PDFHexString)
  expect(address?.decodeText()).toBe('https://uni.example/course?week=3#top')
})

it('an anonymised file keeps the frame of a link that it does not keep, but no link without one', async () => {
  const link = (border: string) =>
    `<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/C[1 0 0]${border}/A<</S/Launch/F(notes.exe)>>>>`
  const borders = ['', '/Border[0 0 2]', '/BS<</W 1>>', '/Border[0 0 0]', '/BS<</W 0>>']
  const copy = await makeCopy(buildPdf({ page: `/Annots[${borders.map(link).join('')}]` }))
  const annotations = (await PDFDocument.load(copy)).getPage(0).node.Annots()
  expect(annotations?.size()).toBe(3)
  expect(annotations?.lookup(1, PDFDict).keys().map(String)).toEqual(['/Type', '/Subtype', '/Rect', '/C', '/Border'])
})

it.each(Object.entries(brokenFiles))('an anonymised file is not made of %s', async (_what, file) => {
  expect(await anonymisePdf(file)).toBeNull()
})

it('an anonymised file is not made of an encrypted file, whether or not it asks for a password', async () => {
  expect(await anonymisePdf(await makeEncryptedFile('secret'))).toBeNull()
  expect(await anonymisePdf(await makeEncryptedFile(''))).toBeNull()
})

it('an anonymised file is not made of what it does not understand', async () => {
  const picture = (entries: string, data = 'x') =>
    drawing('/X Do', stream(data, `/Type/XObject/Subtype/Image/Width 1/Height 1${entries}`))
  expect(await findCopy(picture('/ColorSpace/DeviceGray/BitsPerComponent 8'))).not.toBeNull()
  expect(await findCopy(picture('/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/Zyx'))).toBeNull()
  expect(await findCopy(picture('/ColorSpace[/Zyx]/BitsPerComponent 8'))).toBeNull()
  expect(await findCopy(picture('/ColorSpace/DeviceGray/BitsPerComponent 8/F(other.file)'))).toBeNull()
  expect(await findCopy(picture('/Filter/DCTDecode', 'no JPEG'))).toBeNull()
})
