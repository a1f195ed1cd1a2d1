import { expect, it } from 'vitest'
import { cleanCharacterMap } from './character-map.ts'

const clean = (map: string) =>
  Buffer.from(cleanCharacterMap(Buffer.from(map, 'latin1')))
    .toString('latin1')
    .replace(/\s+/g, ' ')

it('a character map keeps its mappings and the names that readers know', () => {
  const map =
    clean(`/Zyx /Y def /Ordering (Japan1) def /CMapName /UniJIS-UCS2-H def /WMode 1 def /H usecmap /Zyx usecmap
    2 beginbfrange <00> <01> [<0041> (B)] <02> <03 %zyx
> 7 zyx endbfrange (zyx) endcmap zyx`)
  expect(map).toContain('/Ordering (Japan1)')
  expect(map).toContain('/CMapName /UniJIS-UCS2-H def')
  expect(map).toContain('/WMode 1 def /H usecmap 2 beginbfrange <00> <01> [ <0041> <42> ] <02> <03')
  expect(map).toContain('endbfrange endcmap CMapName currentdict')
  expect(map).not.toMatch(/zyx/i)
})
