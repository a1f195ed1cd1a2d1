import { PdfString } from '../syntax/values.ts'
import {
  arrayOf,
  contentStream,
  dict,
  dictOfAny,
  either,
  later,
  name,
  number,
  numbers,
  oneOf,
  stream,
} from './basic.ts'
import { dictOf, nameText, type Rule } from './copier.ts'

/** `Adobe`, `Identity`, `Japan1`: which characters a font's codes stand for. Longer text has no business there. */
const characterCollection: Rule = (value) =>
  value instanceof PdfString && /^[\w-]{1,32}$/.test(Buffer.from(value.bytes).toString('latin1')) ? value : undefined
const systemInfo = dict({ Registry: characterCollection, Ordering: characterCollection, Supplement: number })

/** A font program keeps what its maker wrote into it: it is the same in every file that uses the font. */
const program = stream('data', {
  Length1: number,
  Length2: number,
  Length3: number,
  Subtype: oneOf('Type1C', 'CIDFontType0C', 'OpenType'),
})

const panose: Rule = (value) => (value instanceof PdfString && value.bytes.length === 12 ? value : undefined)

const descriptorEntries = {
  Type: oneOf('FontDescriptor'),
  FontName: name,
  FontWeight: number,
  Flags: number,
  FontBBox: numbers,
  ItalicAngle: number,
  Ascent: number,
  Descent: number,
  Leading: number,
  CapHeight: number,
  XHeight: number,
  StemV: number,
  StemH: number,
  AvgWidth: number,
  MaxWidth: number,
  MissingWidth: number,
  FontFile: program,
  FontFile2: program,
  FontFile3: program,
  CIDSet: stream('data', {}),
  Style: dict({ Panose: panose }),
}
const descriptor = dict(descriptorEntries)

const characterMap: Rule = either(
  name,
  stream('postscript', {
    Type: oneOf('CMap'),
    CMapName: name,
    CIDSystemInfo: systemInfo,
    WMode: number,
    UseCMap: later(() => characterMap),
  }),
)
const glyphNames: Rule = either(
  name,
  dict({
    Type: oneOf('Encoding'),
    BaseEncoding: name,
    Differences: arrayOf(either(number, name)),
  }),
)
/** Widths of a CID font: numbers and lists of numbers. */
const widths = arrayOf(either(number, numbers))

const descendant = dict({
  Type: oneOf('Font'),
  Subtype: oneOf('CIDFontType0', 'CIDFontType2'),
  BaseFont: name,
  CIDSystemInfo: systemInfo,
  FontDescriptor: descriptor,
  DW: number,
  W: widths,
  DW2: numbers,
  W2: widths,
  CIDToGIDMap: either(oneOf('Identity'), stream('data', {})),
})

const common = { Type: oneOf('Font'), ToUnicode: characterMap }
const simple = {
  ...common,
  BaseFont: name,
  FirstChar: number,
  LastChar: number,
  Widths: numbers,
  FontDescriptor: descriptor,
  Encoding: glyphNames,
}
const kinds: Record<string, Rule> = {
  Type0: dict({
    ...common,
    Subtype: oneOf('Type0'),
    BaseFont: name,
    Encoding: characterMap,
    DescendantFonts: arrayOf(descendant),
  }),
  Type1: dict({ ...simple, Subtype: oneOf('Type1') }),
  MMType1: dict({ ...simple, Subtype: oneOf('MMType1') }),
  TrueType: dict({ ...simple, Subtype: oneOf('TrueType') }),
}

/** @param resources the rule for resources: the glyphs of a Type 3 font are small page descriptions. */
export function fontRule(resources: Rule): Rule {
  const drawn = dict({
    ...simple,
    Subtype: oneOf('Type3'),
    FontBBox: numbers,
    FontMatrix: numbers,
    CharProcs: dictOfAny(contentStream),
    Resources: resources,
  })
  return (value, copy) => {
    const kind = nameText(dictOf(value)?.get('Subtype'), copy)
    if (kind === 'Type3') return drawn(value, copy)
    return kind === undefined ? undefined : kinds[kind]?.(value, copy)
  }
}
