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

/** Places to click that lead to a web page or to another place in the file, and the frames of those that lead elsewhere. */
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

/** What such a link shows is drawn with the page. */
const hasPicture = (link: PdfDict, copy: Copier) => copy.source.resolve(link.get('AP')) instanceof Map
const frameless: [string, PdfValue][] = [
  ['Border', [0, 0, 0]],
  ['BS', new Map([['W', 0]])],
]

/** A frame is drawn unless it is said to have no width. */
function isFramed(link: PdfDict, copy: Copier): boolean {
  if (hasPicture(link, copy)) return false
  const border = copy.source.resolve(link.get('Border'))
  const style = copy.source.resolve(link.get('BS'))
  const width = style instanceof Map ? style.get('W') : Array.isArray(border) ? border[2] : undefined
  return width === undefined || copy.source.resolve(width) !== 0
}

/** Where a link or a bookmark leads, as the entry that says so; null for scripts, programs, other files and mailboxes. */
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

/** Web pages only, without a name in the address; `mailto:`, `file:`, `tel:` and the rest name people or machines. */
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

/** An address as it stands and as it reads: percent-encoded, also several times over as a part of another address. */
function readEncoded(address: string): string[] {
  const readings = [address, domainToUnicode(new URL(address).hostname)]
  for (let text = address; readings.length < 2 + maxEncodings; readings.push(text)) {
    text = text.replaceAll('+', ' ').replace(/(?:%[\da-f]{2})+/gi, (encoded) => {
      return Buffer.from(encoded.replaceAll('%', ''), 'hex').toString()
    })
  }
  return readings
}
