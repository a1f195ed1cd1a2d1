import { domainToUnicode } from 'node:url'
import { latin1 } from '../syntax/lexer.ts'
import { type PdfDict, PdfName, PdfString, type PdfValue } from '../syntax/values.ts'
import { dict, number, numbers, oneOf, pick } from './basic.ts'
import { type Copier, nameText } from './copier.ts'
import type { Destinations } from './destinations.ts'
import { layer } from './layers.ts'
import { containsName } from './names.ts'

const linkEntries = {
  Rect: numbers,
  F: number,
  OC: layer,
  C: numbers,
  Border: numbers,
  QuadPoints: numbers,
  BS: dict({ W: number, S: oneOf('S', 'D', 'B', 'I', 'U'), D: numbers }),
  H: oneOf('N', 'I', 'O', 'P'),
}

/** Copies links to web pages and to places in the same file. Other links keep only their borders. */
export function copyLinks(
  annotations: PdfDict[],
  copy: Copier,
  destinations: Destinations,
): { original: PdfDict; link: PdfDict }[] {
  return annotations.flatMap((original) => {
    if (nameText(original.get('Subtype'), copy) !== 'Link') return []
    const target = copyTarget(original, copy, destinations)
    if (!target && !isFramed(original, copy)) return []
    const link: PdfDict = new Map([
      ['Type', new PdfName('Annot')],
      ['Subtype', new PdfName('Link')],
      ...pick(original, linkEntries, copy),
      ...(hasPicture(original, copy) ? frameless : []),
      ...(target ? [target] : []),
    ])
    return [{ original, link }]
  })
}

/** The appearance of such a link is drawn with the page. */
const hasPicture = (link: PdfDict, copy: Copier) => copy.source.resolve(link.get('AP')) instanceof Map
const frameless: [string, PdfValue][] = [
  ['Border', [0, 0, 0]],
  ['BS', new Map([['W', 0]])],
]

/** A border is drawn unless its width is zero. */
function isFramed(link: PdfDict, copy: Copier): boolean {
  if (hasPicture(link, copy)) return false
  const border = copy.source.resolve(link.get('Border'))
  const style = copy.source.resolve(link.get('BS'))
  const width = style instanceof Map ? style.get('W') : Array.isArray(border) ? border[2] : undefined
  return width === undefined || copy.source.resolve(width) !== 0
}

/**
 * Returns the target of a link or bookmark as a dictionary entry, or null for scripts, programs, other files and
 * mailboxes.
 */
export function copyTarget(link: PdfDict, copy: Copier, destinations: Destinations): [string, PdfValue] | null {
  const action = copy.source.resolve(link.get('A'))
  const kind = action instanceof Map ? nameText(action.get('S'), copy) : undefined
  if (action instanceof Map && kind === 'URI') {
    const address = cleanAddress(copy.source.resolve(action.get('URI')), copy)
    return (
      address && [
        'A',
        new Map<string, PdfValue>([
          ['S', new PdfName('URI')],
          ['URI', address],
        ]),
      ]
    )
  }
  const named = action instanceof Map ? (kind === 'GoTo' ? action.get('D') : null) : link.get('Dest')
  const place = destinations.find(named)
  return place && ['Dest', place]
}

/**
 * Keeps only web addresses without a name. Schemes such as `mailto:`, `file:` and `tel:` identify people or machines.
 */
function cleanAddress(value: PdfValue, copy: Copier): PdfString | null {
  if (!(value instanceof PdfString) || value.bytes.length > 2_000) return null
  const text = latin1(value.bytes)
  if (!/^https?:\/\/[\x21-\x7e]+$/i.test(text) || !URL.canParse(text)) return null
  const { username, password } = new URL(text)
  if (username || password) return null
  if (!readEncoded(text).some((reading) => containsName(reading, copy.names))) return value
  copy.droppedLinks++
  return null
}

const maxEncodings = 4

/**
 * Returns an address as written and percent-decoded, repeatedly because it can contain another encoded address. The
 * address does not tell how its letters are encoded.
 */
function readEncoded(address: string): string[] {
  const readings = [address, domainToUnicode(new URL(address).hostname)]
  for (const encoding of ['utf8', 'latin1'] as const) {
    let text = address
    for (let round = 0; round < maxEncodings; round++) {
      text = text.replaceAll('+', ' ').replace(/(?:%[\da-f]{2})+/gi, (encoded) => {
        return Buffer.from(encoded.replaceAll('%', ''), 'hex').toString(encoding)
      })
      readings.push(text)
    }
  }
  return readings
}
