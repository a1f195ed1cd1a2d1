import { PDFDocument } from '@cantoo/pdf-lib'
import { expect, it } from 'vitest'
import { buildPdf, stream } from '../pdfium/test/build-pdf.ts'
import { readText } from '../pdfium/test/read-text.ts'
import { renderPdf } from '../pdfium/test/render-pdf.ts'
import { makeCopy } from './test/make-copy.ts'

const field = (entries: string, form = '') =>
  buildPdf({
    catalog: `/AcroForm<</Fields[6 0 R]/DR<</Font<</F1 5 0 R>>>>${form}>>`,
    page: '/Annots[6 0 R]',
    objects: [
      `<</Type/Annot/Subtype/Widget/Rect[9 9 99 29]/T(field)/DA(/F1 9 Tf 0 g)${entries}>>`,
      stream(
        'BT /F1 9 Tf (written) Tj ET',
        '/Type/XObject/Subtype/Form/BBox[0 0 90 20]/Resources<</Font<</F1 5 0 R>>>>',
      ),
    ],
  })
const mark = (entries: string) =>
  buildPdf({ page: '/Annots[6 0 R]', objects: [`<</Type/Annot/Rect[9 9 99 99]${entries}>>`] })

/** Most of these annotations have no appearance of their own, so readers make one. */
const written: Record<string, Buffer> = {
  'a text field with its picture': field('/FT/Tx/V(other)/AP<</N 7 0 R>>'),
  'a text field': field('/FT/Tx/V(written)'),
  'a text field whose picture is out of date': field('/FT/Tx/V(written anew)/AP<</N 7 0 R>>', '/NeedAppearances true'),
  'a choice': field('/FT/Ch/Ff 131072/Opt[(read)(written)]/V(written)'),
  'a comment box': mark('/Subtype/FreeText/DA(/Helv 12 Tf 0 g)/Contents(written)'),
}
const drawn: Record<string, Buffer> = {
  'an ink drawing': mark('/Subtype/Ink/InkList[[9 9 50 99 99 9]]/C[0 0 1]/BS<</W 3>>'),
  'a line': mark('/Subtype/Line/L[9 9 99 99]/C[1 0 0]'),
  'a circle': mark('/Subtype/Circle/C[1 0 0]'),
  'a polygon': mark('/Subtype/Polygon/Vertices[9 9 99 99 9 99]/C[1 0 0]'),
  'a highlight whose rectangle is wrong': buildPdf({
    page: '/Annots[<</Subtype/Highlight/Rect[9 9 9 9]/QuadPoints[9 99 99 99 9 9 99 9]/C[1 1 0]>>]',
  }),
}
const countAnnotations = async (file: Uint8Array) =>
  (await PDFDocument.load(file)).getPage(0).node.Annots()?.size() ?? 0

it.each(Object.entries(written))('what lies on a page becomes a part of it: %s is text', async (_what, file) => {
  const copy = await makeCopy(file)
  expect(await readText(copy)).toEqual([expect.stringMatching(/^Notes\nwritten( anew)?$/)])
  expect(await countAnnotations(copy)).toBe(0)
})

it.each(Object.entries(drawn))('what lies on a page becomes a part of it: %s is seen', async (_what, file) => {
  const copy = await makeCopy(file)
  expect(await renderPdf(copy)).not.toEqual(await renderPdf(buildPdf()))
  expect(await countAnnotations(copy)).toBe(0)
})

it('what lies on a page becomes a part of it: the image of a signature does not, because it names the signer', async () => {
  const copy = await makeCopy(field('/FT/Sig/AP<</N 7 0 R>>'))
  expect(await readText(copy)).toEqual(['Notes'])
})
