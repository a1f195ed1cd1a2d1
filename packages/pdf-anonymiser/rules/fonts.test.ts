import { expect, it } from 'vitest'
import { layOut } from '../../pdfium/test/build-pdf.ts'
import { anonymiserLimits } from '../limits.ts'
import { PdfFile } from '../syntax/read.ts'
import { PdfName, PdfString, type PdfValue } from '../syntax/values.ts'
import { formatValue, PdfWriter } from '../syntax/write.ts'
import { Copier } from './copier.ts'
import { fontRule } from './fonts.ts'

it('keeps a Panose classification, but no text in its place', () => {
  const copy = new Copier(new PdfFile(layOut(['<<>>'])), new PdfWriter(), anonymiserLimits(1))
  const copyPanose = (panose: Uint8Array) => {
    const style: PdfValue = new Map([['Panose', new PdfString(panose)]])
    const descriptor: PdfValue = new Map([['Style', style]])
    const font: PdfValue = new Map<string, PdfValue>([
      ['Subtype', new PdfName('TrueType')],
      ['FontDescriptor', descriptor],
    ])
    return formatValue(
      copy.apply(
        font,
        fontRule(() => undefined),
      ) ?? null,
    )
  }
  expect(copyPanose(Uint8Array.of(8, 1, 2, 11, 6, 4, 2, 2, 2, 2, 2, 4))).toContain('/Panose')
  expect(copyPanose(Buffer.from('Ada Lovelace'))).not.toContain('/Panose')
})
