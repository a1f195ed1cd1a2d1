import { describe, expect, it } from 'vitest'
import { buildPdf } from '../pdfium/test/build-pdf.ts'
import { renderPdf } from '../pdfium/test/render-pdf.ts'
import { makeCopy } from './test/make-copy.ts'
import { hiddenStamps, visualFixtures } from './test/visual-fixtures.ts'

const plain = [buildPdf(), buildPdf({ content: '' })]

describe('an anonymised file looks the same with', () => {
  it.each(Object.entries(visualFixtures))('%s', async (_feature, file) => {
    const copy = await makeCopy(file)
    const before = await renderPdf(file)
    // Each fixture contains something that can get lost.
    for (const other of plain) expect(before).not.toEqual(await renderPdf(other))
    expect(await renderPdf(copy)).toEqual(before)
  })

  it.each(Object.entries(hiddenStamps))('what is hidden staying hidden: a stamp %s', async (_how, file) => {
    const copy = await makeCopy(file)
    expect(await renderPdf(copy)).toEqual(await renderPdf(buildPdf()))
  })
})
