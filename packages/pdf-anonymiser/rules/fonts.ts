import { isCollectionOrdering, isPredefinedMap } from '../streams/character-map.ts'
import { decodeText } from '../syntax/lexer.ts'
import { PdfName, PdfString } from '../syntax/values.ts'
import { arrayOf, contentStream, dict, dictOfAny, firstOf, lazyRule, number, numbers, oneOf, stream } from './basic.ts'
import { dictOf, nameText, type Rule } from './copier.ts'

/**
 * One of the two names of a character collection, such as `Adobe` or `Japan1`. It is compared as decoded text but
 * copied as spelled, because readers accept different spellings. An unknown name is replaced by `other`, which readers
 * treat like a name that they do not know; if it were left out, some readers would draw no text in the font at all.
 */
const collectionName = (other: string, isKnown: (text: string) => boolean): Rule => {
  const replacement = new PdfString(Buffer.from(other))
  return (value) => {
    if (value === null) return undefined
    return value instanceof PdfString && isKnown(decodeText(value.bytes)) ? value : replacement
  }
}
const systemInfo = dict({
  Registry: collectionName('Other', (text) => text === 'Adobe'),
  Ordering: collectionName('Identity', isCollectionOrdering),
  Supplement: number,
})

/** These lengths determine the end of a Type 1 font when it is cleaned. */
const program = stream('font', {
  Length1: number,
  Length2: number,
  Length3: number,
  Subtype: oneOf('Type1C', 'CIDFontType0C', 'OpenType'),
})

const fontName: Rule = (value, copy) =>
  value instanceof PdfName ? new PdfName(copy.fontNames.replace(value.text)) : undefined
const glyphName: Rule = (value, copy) =>
  value instanceof PdfName ? new PdfName(copy.glyphNames.replace(value.text)) : undefined

/** All of its numbers are below 16, unlike the codes of letters. */
const panose: Rule = (value) =>
  value instanceof PdfString && value.bytes.length === 12 && value.bytes.every((byte) => byte < 16) ? value : undefined

const descriptorEntries = {
  Type: oneOf('FontDescriptor'),
  FontName: fontName,
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
  Style: dict({ Panose: panose }),
}
const descriptor = dict(descriptorEntries)

/** No reader needs the name of an embedded map, but the entry is required. */
const mapName: Rule = (value) =>
  value instanceof PdfName && isPredefinedMap(value.text) ? value : new PdfName('Adobe-Identity-UCS')

const characterMap: Rule = firstOf(
  (value) => (value instanceof PdfName && isPredefinedMap(value.text) ? value : undefined),
  stream('characterMap', {
    Type: oneOf('CMap'),
    CMapName: mapName,
    CIDSystemInfo: systemInfo,
    WMode: number,
    UseCMap: lazyRule(() => characterMap),
  }),
)
const encodingName = oneOf(
  ...['StandardEncoding', 'WinAnsiEncoding', 'MacRomanEncoding', 'MacExpertEncoding', 'PDFDocEncoding'],
  ...['SymbolEncoding', 'ZapfDingbatsEncoding', 'SymbolSetEncoding', 'Identity-H', 'Identity-V'],
)
const glyphNames: Rule = firstOf(
  encodingName,
  dict({
    Type: oneOf('Encoding'),
    BaseEncoding: encodingName,
    Differences: arrayOf(firstOf(number, glyphName)),
  }),
)
/** The widths of a CID font: numbers and lists of numbers. */
const widths = arrayOf(firstOf(number, numbers))

const descendant = dict({
  Type: oneOf('Font'),
  Subtype: oneOf('CIDFontType0', 'CIDFontType2'),
  BaseFont: fontName,
  CIDSystemInfo: systemInfo,
  FontDescriptor: descriptor,
  DW: number,
  W: widths,
  DW2: numbers,
  W2: widths,
  CIDToGIDMap: firstOf(oneOf('Identity'), stream('data', {})),
})

const common = { Type: oneOf('Font'), ToUnicode: characterMap }
const simple = {
  ...common,
  BaseFont: fontName,
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
    BaseFont: fontName,
    Encoding: characterMap,
    DescendantFonts: arrayOf(descendant),
  }),
  Type1: dict({ ...simple, Subtype: oneOf('Type1') }),
  MMType1: dict({ ...simple, Subtype: oneOf('MMType1') }),
  TrueType: dict({ ...simple, Subtype: oneOf('TrueType') }),
}

/** @param resources the rule for resources, because the glyphs of a Type 3 font are content streams. */
export function fontRule(resources: Rule): Rule {
  const drawn = dict({
    ...simple,
    Subtype: oneOf('Type3'),
    FontBBox: numbers,
    FontMatrix: numbers,
    CharProcs: dictOfAny(contentStream, (name, copy) => copy.glyphNames.replace(name)),
    Resources: resources,
  })
  return (value, copy) => {
    const kind = nameText(dictOf(value)?.get('Subtype'), copy)
    if (kind === 'Type3') return drawn(value, copy)
    return kind === undefined ? undefined : kinds[kind]?.(value, copy)
  }
}
