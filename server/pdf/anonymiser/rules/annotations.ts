import { latin1 } from '../syntax/lexer.ts'
import { type PdfDict, PdfName, PdfStream, PdfString, type PdfValue } from '../syntax/values.ts'
import { formatValue } from '../syntax/write.ts'
import { arrayOf, dict, type Entries, number, numbers, oneOf, pick } from './basic.ts'
import { type Copier, nameText, type Rule } from './copier.ts'
import type { Destinations } from './destinations.ts'
import { appearance } from './graphics.ts'
import { layer } from './layers.ts'

const hiddenFlag = 2

const common: Entries = { Rect: numbers, F: number, OC: layer, C: numbers, Border: numbers }
const borderStyle = dict({ W: number, S: oneOf('S', 'D', 'B', 'I', 'U'), D: numbers })
const lineEnd = oneOf('None', 'Square', 'Circle', 'Diamond', 'OpenArrow', 'ClosedArrow', 'Butt', 'Slash')
const marked: Entries = { ...common, QuadPoints: numbers, CA: number }
const drawn: Entries = { ...common, BS: borderStyle, IC: numbers, CA: number, RD: numbers, LE: arrayOf(lineEnd) }

// biome-ignore format: a list of words
const fontNames = new Set([
  'Helv', 'HeBo', 'HeOb', 'HeBO', 'Helvetica', 'Helvetica-Bold', 'Helvetica-Oblique', 'Helvetica-BoldOblique', 'Arial',
  'TiRo', 'TiBo', 'TiIt', 'TiBI', 'Times-Roman', 'Times-Bold', 'Times-Italic', 'Times-BoldItalic', 'Cour', 'CoBo', 'CoOb',
  'CoBO', 'Courier', 'Courier-Bold', 'Courier-Oblique', 'Courier-BoldOblique', 'Symb', 'Symbol', 'ZaDb', 'ZapfDingbats',
])
const styleOperators: Record<string, number> = { Tf: 1, g: 1, rg: 3, k: 4 }

/**
 * `/Helv 12 Tf 0 g`: font, size and colour of text without a picture of it. Fonts of another name, which a form may
 * have brought along, become Helvetica; other instructions are left out.
 */
const textStyle: Rule = (value) => {
  if (!(value instanceof PdfString)) return undefined
  const kept: string[] = []
  let operands: string[] = []
  for (const word of latin1(value.bytes).split(/[\s\0]+/)) {
    const count = Object.hasOwn(styleOperators, word) ? styleOperators[word] : undefined
    if (count === undefined) {
      operands.push(word)
      continue
    }
    const numbers = operands.slice(-count).map(Number)
    const name = operands.at(-2)?.replace(/^\//, '') ?? ''
    const font = word === 'Tf' ? [fontNames.has(name) ? `/${name}` : '/Helv'] : []
    if (numbers.length === count && numbers.every(Number.isFinite))
      kept.push(...font, ...numbers.map(formatValue), word)
    operands = []
  }
  return kept.length > 0 ? new PdfString(Buffer.from(kept.join(' '))) : undefined
}
const shownText: Rule = (value) => (value instanceof PdfString ? value : undefined)

/** Marks that readers can draw from their measures when the file brings no picture of them. */
const marks: Record<string, Entries> = {
  Highlight: marked,
  Underline: marked,
  StrikeOut: marked,
  Squiggly: marked,
  Square: drawn,
  Circle: drawn,
  Line: { ...drawn, L: numbers },
  Polygon: { ...drawn, Vertices: numbers },
  PolyLine: { ...drawn, Vertices: numbers },
  Ink: { ...drawn, InkList: arrayOf(numbers) },
  // Text written on the page: here the contents are what is seen, not what opens on a click.
  FreeText: { ...drawn, DA: textStyle, Q: number, Contents: shownText },
}
/** These open, play or carry something; what they show on the page is a symbol for it. */
const leftOut = new Set([
  'Popup',
  'FileAttachment',
  'Sound',
  'Movie',
  'Screen',
  '3D',
  'RichMedia',
  'PrinterMark',
  'TrapNet',
])

/**
 * What a page shows on top of its description: marks, stamps, ticked boxes and buttons as pictures, links as places
 * to click. Who made them and when, their comments and replies, field names and values, scripts: left out.
 */
export function copyAnnotations(page: PdfDict, copy: Copier, destinations: Destinations): PdfValue[] {
  const list = copy.source.resolve(page.get('Annots'))
  if (!Array.isArray(list)) return []
  return list.flatMap((item) => {
    const annotation = copy.source.resolve(item)
    return annotation instanceof Map ? (copyAnnotation(annotation, copy, destinations) ?? []) : []
  })
}

function copyAnnotation(annotation: PdfDict, copy: Copier, destinations: Destinations): PdfValue | undefined {
  const kind = nameText(annotation.get('Subtype'), copy)
  const flags = copy.source.resolve(annotation.get('F'))
  if (kind === undefined || leftOut.has(kind) || (typeof flags === 'number' && (flags & hiddenFlag) !== 0))
    return undefined
  if (kind === 'Link') return copyLink(annotation, copy, destinations)
  if (kind === 'Widget' && fieldType(annotation, copy) !== 'Btn') return undefined
  const picture = findAppearance(annotation, copy)
  const shown = picture === undefined ? undefined : copy.apply(picture, appearance)
  if (shown !== undefined) {
    const stamp = pick(annotation, { Rect: numbers, F: number, OC: layer }, copy)
    return typed(stamp, 'Stamp').set('AP', new Map([['N', shown]]))
  }
  const entries = marks[kind]
  return entries && typed(pick(annotation, entries, copy), kind)
}

/**
 * Texts typed or chosen in a form and signatures are data of whoever filled it in, and often the name itself; of the
 * fields only boxes, ticked or not, and buttons stay visible.
 */
function fieldType(field: PdfDict, copy: Copier): string | undefined {
  let node: PdfValue = field
  for (let up = 0; up < 16 && node instanceof Map; up++) {
    const type = nameText(node.get('FT'), copy)
    if (type !== undefined) return type
    node = copy.source.resolve(node.get('Parent'))
  }
  return undefined
}

/** The normal appearance; of a check box the one of its present state. */
function findAppearance(annotation: PdfDict, copy: Copier): PdfValue | undefined {
  const appearances = copy.source.resolve(annotation.get('AP'))
  if (!(appearances instanceof Map)) return undefined
  const normal = appearances.get('N')
  const states = copy.source.resolve(normal)
  if (states instanceof PdfStream) return normal
  const state = nameText(annotation.get('AS'), copy)
  return states instanceof Map && state !== undefined ? states.get(state) : undefined
}

function copyLink(annotation: PdfDict, copy: Copier, destinations: Destinations): PdfValue | undefined {
  const link = pick(annotation, { ...marked, BS: borderStyle, H: oneOf('N', 'I', 'O', 'P') }, copy)
  const action = copy.source.resolve(annotation.get('A'))
  const kind = action instanceof Map ? nameText(action.get('S'), copy) : undefined
  if (action instanceof Map && kind === 'URI') {
    const address = cleanAddress(copy.source.resolve(action.get('URI')))
    if (!address) return undefined
    return typed(link, 'Link').set(
      'A',
      new Map<string, PdfValue>([
        ['S', new PdfName('URI')],
        ['URI', address],
      ]),
    )
  }
  const place = destinations.find(
    action instanceof Map ? (kind === 'GoTo' ? action.get('D') : null) : annotation.get('Dest'),
  )
  return place ? typed(link, 'Link').set('Dest', place) : undefined
}

/** Web pages only, without a user's name in the address; `mailto:`, `file:`, `tel:` and the rest name people or machines. */
function cleanAddress(value: PdfValue): PdfString | null {
  if (!(value instanceof PdfString) || value.bytes.length > 2_000) return null
  const text = latin1(value.bytes)
  if (!/^https?:\/\/[\x21-\x7e]+$/i.test(text) || !URL.canParse(text)) return null
  const { username, password } = new URL(text)
  return username || password ? null : value
}

function typed(annotation: PdfDict, kind: string): PdfDict {
  return annotation.set('Type', new PdfName('Annot')).set('Subtype', new PdfName(kind))
}
