import { expect, it } from 'vitest'
import { layOut } from '../pdfium/test/build-pdf.ts'
import { openWithPdfJs } from '../pdfium/test/read-text.ts'
import { makeCopy } from './test/make-copy.ts'

const file = layOut(
  [
    `<</Type/Catalog/Pages 2 0 R/Outlines 5 0 R/Names<</Dests<</Names[(chapter)[4 0 R/XYZ 0 99 null]]>>>>
      /PageLabels<</Kids[<</Nums[0<</S/r>>]>><</Nums[1<</S/D/P(A-)/St 7>>]>>]>>>>`,
    '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 300 200]>>',
    '<</Type/Page/Parent 2 0 R>>',
    '<</Type/Page/Parent 2 0 R>>',
    '<</Type/Outlines/First 6 0 R/Last 9 0 R/Count 3>>',
    '<</Title(Contents)/Parent 5 0 R/Next 7 0 R/Dest[3 0 R/Fit]/C[1 0 0]/F 2>>',
    '<</Title<FEFF03BB>/Parent 5 0 R/Prev 6 0 R/Next 9 0 R/A<</S/GoTo/D(chapter)>>/First 8 0 R/Last 8 0 R/Count -1>>',
    '<</Title(Reading)/Parent 7 0 R/A<</S/URI/URI(https://uni.example/)>>>>',
    '<</Title(HW1_ada-lovelace.docx)/Parent 5 0 R/Prev 7 0 R/Next 6 0 R/Dest[4 0 R/Fit]>>',
    '<</Author(Ada Lovelace)>>',
  ],
  '/Info 10 0 R',
)

it('an anonymised file keeps bookmarks and page labels, but no title with the name of its author', async () => {
  const reading = openWithPdfJs(await makeCopy(file))
  const copy = await reading.promise
  const [contents, chapter, homework, ...more] = await copy.getOutline()
  const places = [contents, chapter, homework].map((item) => item?.dest?.[0])
  const pages = await Promise.all(places.map((place) => copy.getPageIndex(place)))
  expect(pages).toEqual([0, 1, 1])
  expect(contents).toMatchObject({ title: 'Contents', bold: true, items: [] })
  expect(chapter).toMatchObject({ title: 'λ', count: -1, items: [{ title: 'Reading', url: 'https://uni.example/' }] })
  expect(homework).toMatchObject({ title: '…' })
  expect(more).toEqual([])
  expect(await copy.getPageLabels()).toEqual(['i', 'A-7'])
  await reading.destroy()
})

/** Reads the bookmark titles and the page labels of the copy. */
async function readBeside(titles: string[], names: string[], author = '') {
  const items = titles.map((title, at) => {
    const next = at + 1 < titles.length ? `/Next ${at + 5} 0 R` : ''
    return `<</Title<FEFF${Buffer.from(title, 'utf16le').swap16().toString('hex')}>/Parent 3 0 R${next}>>`
  })
  const made = layOut(
    [
      `<</Type/Catalog/Pages 2 0 R/Outlines 3 0 R/PageLabels<</Nums[0<</S/D/P(okafor-)>>]>>>>`,
      `<</Type/Pages/Kids[${titles.length + 4} 0 R]/Count 1/MediaBox[0 0 300 200]>>`,
      `<</Type/Outlines/First 4 0 R/Last ${titles.length + 3} 0 R>>`,
      ...items,
      '<</Type/Page/Parent 2 0 R>>',
      `<</Author(${author})>>`,
    ],
    `/Info ${titles.length + 5} 0 R`,
  )
  const reading = openWithPdfJs(await makeCopy(made, { names }))
  const copy = await reading.promise
  const read = { titles: (await copy.getOutline()).map(({ title }) => title), labels: await copy.getPageLabels() }
  await reading.destroy()
  return read
}

it('an anonymised file keeps no bookmark or page label with a name that is given', async () => {
  const spelt = ['ADA OKAFOR', 'okafor, ada', 'Ada_Ökáfor hw.docx', 'notesOkafor2', 'by ada']
  const naming = [...spelt, 'Li Ng', 'NGLI1', '李明作业']
  const others = ['Canada', 'Okay for all', 'Linear', 'Contents', 'λ']
  const names = ['Ada', 'Okafor', 'Ada Okafor', 'Li Ng', 'Ng Li', '李明']
  const { titles, labels } = await readBeside([...naming, ...others], names)
  expect(titles).toEqual([...naming.map(() => '…'), ...others])
  expect(labels).not.toContain('okafor-1')
  expect((await readBeside(naming, [])).titles).toEqual(naming)
})

it('an anonymised file keeps no bookmark with its author, whose name is encoded in one byte per character', async () => {
  expect(await readBeside(['René Müller', 'Rene Muller hw', 'Contents'], [], 'Ren\\351 M\\374ller')).toMatchObject({
    titles: ['…', '…', 'Contents'],
  })
  expect(await readBeside(['Łukasz Žák', 'Contents'], [], '\\225ukasz \\231\\341k')).toMatchObject({
    titles: ['…', 'Contents'],
  })
})
