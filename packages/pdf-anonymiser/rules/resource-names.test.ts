import { expect, it } from 'vitest'
import { noNames, readNames } from './names.ts'
import { FontNames, ResourceNames } from './resource-names.ts'

// biome-ignore format: a list of words
const known = [
  'Helvetica', 'ArialMT', 'Arial-BoldItalicMT', 'TimesNewRomanPSMT', 'TimesNewRomanPS-BoldMT', 'CourierNewPSMT',
  'HelveticaLTStd-Bold', 'LucidaSansUnicode', 'NotoSansCJKSC-Regular', 'HeiseiKakuGo-W5', 'CMR10', 'SegoeUI-Light',
]

it('keeps the names of fonts that readers know', () => {
  const fonts = new FontNames(noNames)
  for (const name of known) expect(fonts.replace(name)).toBe(name)
})

it('replaces the name of a font that continues like the name of a person', () => {
  const fonts = new FontNames(readNames([], ['Ada', 'Lovelace']))
  for (const name of ['Helvetica-LOVELACE', 'Helvetica-ADA', 'ABCDEF+Helvetica-ADA', 'Arial-HOPPER'])
    expect(fonts.replace(name)).not.toMatch(/ADA|LOVELACE|HOPPER/)
})

it('is done soon with a long name that is almost one of a font', () => {
  expect(new FontNames(noNames).replace(`Arial${'A'.repeat(60)}!`)).toBe('Font1')
  expect(new FontNames(noNames).replace(`Arial${'CJKPSMT-'.repeat(60)}!`)).toBe('Font1')
})

it('replaces a short resource name only if it is the name of a person', () => {
  const resources = new ResourceNames(readNames([], ['Ada', 'Pattern', 'G']))
  expect(['F1', 'Ada', 'Ad', 'Pattern', 'G'].map((name) => resources.replace(name))).toEqual([
    ...['F1', 'Rn1', 'Ad', 'Pattern', 'G'],
  ])
})
