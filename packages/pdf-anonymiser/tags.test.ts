import { expect, it } from 'vitest'
import { layOut, stream } from '../pdfium/test/build-pdf.ts'
import { openWithPdfJs } from '../pdfium/test/read-text.ts'
import { makeCopy } from './test/make-copy.ts'

const file = layOut([
  `<</Type/Catalog/Pages 2 0 R/Lang(en-GB)/MarkInfo<</Marked true>>/StructTreeRoot 7 0 R>>`,
  '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 300 200]/Resources<</Font<</F1 6 0 R>>/Properties<</MC0<</MCID 1>>>>>>>>',
  '<</Type/Page/Parent 2 0 R/Contents 5 0 R/StructParents 3/Annots[15 0 R]>>',
  '<</Type/Page/Parent 2 0 R>>',
  stream(`/Heading <</MCID 0>> BDC BT /F1 24 Tf 20 150 Td (Notes) Tj ET EMC /Figure /MC0 BDC 0 0 9 9 re f EMC
    /Link <</MCID 2>> BDC BT /F1 9 Tf 20 50 Td (more) Tj ET EMC /Artifact <</Type/Pagination>> BDC 1 w EMC`),
  '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  '<</Type/StructTreeRoot/K[8 0 R]/RoleMap<</Heading/Chapter/Chapter/H1/Odd/Odd>>/ParentTree<</Nums[3[9 0 R 10 0 R 11 0 R]7 11 0 R]>>>>',
  '<</Type/StructElem/S/Document/P 7 0 R/K[9 0 R 10 0 R 11 0 R 12 0 R]>>',
  '<</Type/StructElem/S/Heading/P 8 0 R/Pg 3 0 R/K 0/T(a title)/ID(1)/Lang(de)>>',
  '<</Type/StructElem/S/Figure/P 8 0 R/Pg 3 0 R/K<</Type/MCR/MCID 1>>/Alt(A black square)>>',
  '<</Type/StructElem/S/Link/P 8 0 R/Pg 3 0 R/K[2<</Type/OBJR/Obj 15 0 R/Pg 3 0 R>>]>>',
  '<</Type/StructElem/S/Odd/P 8 0 R/K[13 0 R 8 0 R]>>',
  '<</Type/StructElem/S/TH/P 12 0 R/Pg 4 0 R/A<</O/Table/ColSpan 2/Scope/Column/Zyx 1>>/K 14 0 R>>',
  '<</Type/MCR/Pg 99 0 R/MCID 0>>',
  '<</Type/Annot/Subtype/Link/Rect[20 50 60 60]/StructParent 7/A<</S/URI/URI(https://uni.example/)>>>>',
])

it('an anonymised file keeps the tags that screen readers go by', async () => {
  const before = openWithPdfJs(file)
  const after = openWithPdfJs(await makeCopy(file))
  const readTags = async ({ promise }: typeof after) => (await (await promise).getPage(1)).getStructTree()
  const tags = await readTags(after)
  expect(tags).toMatchObject({
    children: [
      {
        role: 'Document',
        children: [
          { role: 'H1', lang: 'de', children: [{ type: 'content' }] },
          { role: 'Figure', alt: 'A black square', children: [{ type: 'content' }] },
          { role: 'Link', children: [{ type: 'content' }, { type: 'annotation' }] },
        ],
      },
    ],
  })
  expect(countContents(tags)).toBe(countContents(await readTags(before)))
  expect([...Object(await (await after.promise).getMarkInfo())]).toContainEqual(['Marked', true])
  expect(await (await after.promise).getMetadata()).toMatchObject({ info: { Language: 'en-GB' } })
  await Promise.all([before.destroy(), after.destroy()])
})

it('an anonymised file keeps no alternative text with a name that is given', async () => {
  const holdsText = async (name: string) => {
    const reading = openWithPdfJs(await makeCopy(file, { names: [name] }))
    const tags = await (await (await reading.promise).getPage(1)).getStructTree()
    await reading.destroy()
    return JSON.stringify(tags).includes('A black square')
  }
  expect(await holdsText('Ada')).toBe(true)
  expect(await holdsText('Square')).toBe(false)
})

const countContents = (node: unknown): number => JSON.stringify(node).split('"type"').length
