import { expect, it } from 'vitest'
import { buildPdf, stream } from '../pdfium/test/build-pdf.ts'
import { readText } from '../pdfium/test/read-text.ts'
import { anonymisePdf } from './anonymise.ts'
import { holdsCanary } from './test/expand-pdf.ts'
import { findCopy } from './test/make-copy.ts'

/** The names that the server passes for the user `Ada Lovelace` with the address `alovelace7@uni.example`. */
const names = ['Ada Lovelace', 'Lovelace Ada', 'alovelace7', 'Ada', 'Lovelace', 'adalovelace']
const hex = (text: string) => `<${Buffer.from(text).toString('hex')}>`
const link = (address: string) => `<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Border[0 0 0]/A<</S/URI/URI${address}>>>>`
const host = 'https://uni.example'
const naming = [
  `(${host}/~alovelace7)`,
  `(${host}/~lovelace/notes)`,
  `(${host}/Ada.Lovelace)`,
  `(${host}/people/ADA-LOVELACE.html)`,
  `(${host}/adalovelace2)`,
  `(${host}/#Ada_Lovelace)`,
  `(${host}/Ada%20Lovelace)`,
  `(${host}/%4c%6f%76%65%6c%61%63%65)`,
  `(${host}/search?author=Ada+Lovelace)`,
  `(${host}/login?next=https%3A%2F%2Funi.example%2F%7Ealovelace7)`,
  `(${host}/a?b=https%253A%252F%252Funi.example%252FAda%252520Lovelace)`,
  `(${host}/?mail=alovelace7%40uni.example)`,
  '(https://lovelace.example/)',
  hex(`${host}/~alovelace7`),
]
const innocent = [`(${host}/course?week=3#top)`, '(https://canada.example/)', hex(`${host}/algebra`)]

it('drops links that name the author in any spelling, and reports how many', async () => {
  const file = buildPdf({ page: `/Annots[${[...naming, ...innocent].map(link).join('')}]` })
  const copy = await anonymisePdf(file, { names })
  expect(copy?.dropped).toBe(naming.length)
  const text = Buffer.from(copy?.bytes ?? []).toString('latin1')
  expect(text.match(/\/URI\s*[(<][^)>]*[)>]/g)).toHaveLength(innocent.length)
  for (const name of ['lovelace', 'Lovelace', 'LOVELACE', '%4c']) expect(text).not.toContain(name)
})

it('drops links that name the author in percent-encoded UTF-8 or Latin-1', async () => {
  const encoded = ['~m%FCller', '~M%C3%BCller', '?next=https%3A%2F%2Funi.example%2F~m%25FCller'].map(
    (path) => `(${host}/${path})`,
  )
  const file = buildPdf({ page: `/Annots[${encoded.map(link).join('')}]` })
  expect(await anonymisePdf(file, { names: ['Müller'] })).toMatchObject({ dropped: encoded.length })
})

it('drops form values that name the author', async () => {
  const field = (value: string, at: number) =>
    `<</Type/Annot/Subtype/Widget/FT/Tx/T(f${at})/V(${value})/Rect[9 ${at} 199 ${at + 20}]/DA(/F1 9 Tf)/AP<</N ${at} 0 R>>>>`
  const drawn = (value: string) =>
    stream(
      `/Tx BMC BT /F1 9 Tf 2 5 Td (${value}) Tj ET EMC`,
      '/Type/XObject/Subtype/Form/BBox[0 0 190 20]/Resources<</Font<</F1 5 0 R>>>>',
    )
  const file = buildPdf({
    catalog: '/AcroForm<</Fields[6 0 R 7 0 R]/DA(/F1 9 Tf)/DR<</Font<</F1 5 0 R>>>>>>',
    page: '/Annots[6 0 R 7 0 R]',
    objects: [field('by Ada Lovelace', 8), field('week three', 9), drawn('by Ada Lovelace'), drawn('week three')],
  })
  const copy = await anonymisePdf(file, { names })
  expect(copy).toMatchObject({ dropped: 1, drawnPages: [] })
  expect(await holdsCanary(copy?.bytes ?? new Uint8Array(), 'Lovelace')).toBe(false)
  expect(await holdsCanary(copy?.bytes ?? new Uint8Array(), 'week three')).toBe(true)
})

it('gives fonts, glyphs and inks neutral names, and the pages look and read as before', async () => {
  const file = buildPdf({
    resources: `/Font<</F1 5 0 R/F2 6 0 R/F3 9 0 R>>/ColorSpace<</C1[/Separation/AdaLovelaceRed/DeviceRGB 10 0 R]
      /C2[/DeviceN[/Lovelace#20Blue/Cyan]/DeviceRGB 11 0 R]>>`,
    content: `/C1 cs .5 scn 9 9 50 50 re f /C2 cs .2 .7 scn 70 9 50 50 re f 0 g
      BT /F1 24 Tf 20 150 Td (Notes) Tj /F2 24 Tf 0 -40 Td (aba) Tj /F3 24 Tf 80 0 Td (Week) Tj ET`,
    objects: [
      `<</Type/Font/Subtype/Type3/FontBBox[0 0 750 750]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 97/LastChar 98/Widths[800 800]
        /Encoding<</Type/Encoding/Differences[97/AdaLovelace1/Lovelace.b]>>/CharProcs<</AdaLovelace1 7 0 R/Lovelace.b 8 0 R>>>>`,
      stream('800 0 0 0 750 750 d1 0 0 750 750 re f'),
      stream('800 0 0 0 750 750 d1 0 0 375 750 re f'),
      `<</Type/Font/Subtype/Type1/BaseFont/ABCDEF+AdaLovelaceHand-BoldItalic/Encoding/WinAnsiEncoding>>`,
      '<</FunctionType 2/Domain[0 1]/N 1/C0[1 1 1]/C1[1 0 0]>>',
      stream('{pop dup dup}', '/FunctionType 4/Domain[0 1 0 1]/Range[0 1 0 1 0 1]'),
    ],
  })
  const copy = await findCopy(file, { names })
  if (!copy) throw new Error('A page became a picture')
  expect(await holdsCanary(copy, 'Lovelace')).toBe(false)
  const text = copy.toString('latin1')
  for (const neutral of ['/Ink1', '/Ink2', '/Cyan', '/glyph1', '+Font1-BoldItalic', '/Helvetica']) {
    expect(text).toContain(neutral)
  }
})

it('removes the given name from text outside of a page and from invisible text, and leaves the other words', async () => {
  const outside = 'BT /F1 24 Tf 20 900 Td (by Ada Lovelace) Tj ET'
  const hiding = [
    outside,
    'BT 3 Tr /F1 24 Tf 20 150 Td (by Ada Lovelace) Tj ET',
    'BT 1 g /F1 24 Tf 20 150 Td (by Ada Lovelace) Tj ET',
    'q 0 0 1 1 re W n BT /F1 24 Tf 20 150 Td (by Ada Lovelace) Tj ET Q',
    'BT /F1 24 Tf 20 150 Td (by Ada Lovelace) Tj ET .5 g 0 140 300 40 re f',
  ]
  for (const hidden of hiding) {
    const file = buildPdf({ content: `${hidden} BT 0 Tr 0 g /F1 24 Tf 20 50 Td (Week three) Tj ET` })
    const copy = await anonymisePdf(file, { names, ...(hidden !== outside && { hiddenNamePages: [0, 1, 7] }) })
    expect(copy?.drawnPages).toEqual([1])
    const [after] = await readText(copy?.bytes ?? new Uint8Array())
    expect(after).toContain('Week three')
    expect(after).not.toMatch(/Ada|Lovelace/)
    expect(await holdsCanary(copy?.bytes ?? new Uint8Array(), 'Lovelace')).toBe(false)
  }
})
