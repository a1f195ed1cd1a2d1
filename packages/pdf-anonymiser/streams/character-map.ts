import { hexDigit, isRegular, isWhitespace, Lexer, latin1 } from '../syntax/lexer.ts'
import { skipComment, skipString } from '../syntax/skip.ts'
import { PdfRejectedError, PdfString } from '../syntax/values.ts'

const opening = '/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n'
const closing = 'CMapName currentdict /CMap defineresource pop\nend\nend\n'
const mappings = ['codespacerange', 'bfchar', 'bfrange', 'cidchar', 'cidrange', 'notdefchar', 'notdefrange']
const openings = new Set(mappings.map((mapping) => `begin${mapping}`))
const maxPieceLength = 65_536
/** The limit for a name, a code or a mapped text, which are a few bytes long in ordinary files. */
const maxTokenLength = 10_000

/**
 * Rewrites a character map with only its mappings. The surrounding program is always the same, and names, which can
 * contain the name of a font or program, are restricted to the collections that readers know.
 */
export function cleanCharacterMap(source: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = []
  let out = opening
  let section: string | undefined
  let previous = ''
  for (let at = 0; at < source.length; ) {
    if (isWhitespace(source[at])) {
      at++
      continue
    }
    const start = at
    at = skipToken(source, start)
    if (source[start] === 0x25) continue
    if (at - start > maxTokenLength) throw new PdfRejectedError('oversized character map entry')
    const token = latin1(source, start, at)
    if (openings.has(token)) {
      if (section) out += `end${section}\n`
      section = token.slice('begin'.length)
      out += `${isWhole(previous) ? `${previous} ` : ''}${token}\n`
    } else if (section && token === `end${section}`) {
      out += `${token}\n`
      section = undefined
    } else if (section) out += formatOperand(token)
    else out += formatEntry(previous, token)
    previous = token
    if (out.length < maxPieceLength) continue
    parts.push(Buffer.from(out, 'latin1'))
    out = ''
  }
  if (section) out += `end${section}\n`
  parts.push(Buffer.from(out + closing, 'latin1'))
  return Buffer.concat(parts)
}

function skipToken(source: Uint8Array, at: number): number {
  const byte = source[at]
  if (byte === 0x25) return skipComment(source, at)
  if (byte === 0x28) return skipString(source, at)
  if ((byte === 0x3c || byte === 0x3e) && source[at + 1] === byte) return at + 2
  if (byte === 0x3c) return skipString(source, at)
  let end = at + 1
  if (byte === 0x2f || isRegular(byte)) while (isRegular(source[end])) end++
  return end
}

/** Writes codes and their mapped values: strings, always in hexadecimal, numbers, and lists of them. */
function formatOperand(token: string): string {
  if (token === '[' || token === ']' || isWhole(token)) return `${token} `
  if (token.startsWith('<') && token !== '<<') return `<${keepDigits(token)}>\n`
  if (token.startsWith('(')) return `<${Buffer.from(readString(token)).toString('hex')}>\n`
  // No reader supports a glyph name here, but the position must be kept.
  return token.startsWith('/') ? '<>\n' : ''
}

/** Writes an entry that readers use outside of the mappings. */
function formatEntry(key: string, value: string): string {
  if (value === 'endcmap') return 'endcmap\n'
  if (value === 'usecmap') return isPredefinedMap(key.slice(1)) ? `${key} usecmap\n` : ''
  if (!key.startsWith('/')) return ''
  if ((key === '/WMode' || key === '/CMapType') && isWhole(value)) return `${key} ${value} def\n`
  if (key === '/CMapName' && value.startsWith('/'))
    return `/CMapName ${isPredefinedMap(value.slice(1)) ? value : '/Adobe-Identity-UCS'} def\n`
  if (key !== '/Ordering' || !value.startsWith('(')) return ''
  const name = Buffer.from(readString(value)).toString('latin1')
  const ordering = isCollectionOrdering(name) ? name : 'Identity'
  return `/CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 0 >> def\n`
}

const isWhole = (token: string) => /^[+-]?\d{1,10}$/.test(token)

/** Readers interpret any other character differently, but all of them skip a blank. */
function keepDigits(token: string): string {
  let digits = ''
  for (const byte of Buffer.from(token.slice(1), 'latin1')) {
    if (hexDigit(byte) >= 0) digits += String.fromCharCode(byte)
    else if (digits.length > 0 && !digits.endsWith(' ')) digits += ' '
  }
  return digits.trimEnd()
}

function readString(token: string): Uint8Array {
  const value = new Lexer(Buffer.from(token, 'latin1')).readValue()
  return value instanceof PdfString ? value.bytes : new Uint8Array()
}

// biome-ignore format: a list of words
const orderings = new Set([
  'Identity', 'UCS', 'GB1', 'CNS1', 'CNS2', 'Japan1', 'Japan2', 'Korea1', 'KR', 'Manga1',
])
/** Returns whether the text is the second part of the name of a character collection that readers know. */
export const isCollectionOrdering = (text: string) => orderings.has(text)

/** The predefined character maps of readers (ISO 32000-1, table 118, and older ones), without their direction. */
// biome-ignore format: a list of words
const directed = new Set([
  '78', '78-EUC', '78-RKSJ', '78ms-RKSJ', '83pv-RKSJ', '90ms-RKSJ', '90msp-RKSJ', '90pv-RKSJ', 'Add', 'Add-RKSJ', 'B5',
  'B5pc', 'CNS-EUC', 'CNS1', 'CNS2', 'ETHK-B5', 'ETen-B5', 'ETenms-B5', 'EUC', 'Ext', 'Ext-RKSJ', 'GB', 'GB-EUC', 'GBK',
  'GBK-EUC', 'GBK2K', 'GBKp-EUC', 'GBT', 'GBT-EUC', 'GBTpc-EUC', 'GBpc-EUC', 'HKdla-B5', 'HKdlb-B5', 'HKgccs-B5',
  'HKm314-B5', 'HKm471-B5', 'HKscs-B5', 'Identity', 'KSC', 'KSC-EUC', 'KSC-Johab', 'KSCms-UHC', 'KSCms-UHC-HW',
  'KSCpc-EUC', 'NWP', 'RKSJ', 'UniCNS-UCS2', 'UniCNS-UTF16', 'UniCNS-UTF32', 'UniCNS-UTF8', 'UniGB-UCS2', 'UniGB-UTF16',
  'UniGB-UTF32', 'UniGB-UTF8', 'UniJIS-UCS2', 'UniJIS-UCS2-HW', 'UniJIS-UTF16', 'UniJIS-UTF32', 'UniJIS-UTF8',
  'UniJIS2004-UTF16', 'UniJIS2004-UTF32', 'UniJIS2004-UTF8', 'UniJISPro-UCS2', 'UniJISPro-UCS2-HW', 'UniJISPro-UTF8',
  'UniJISX0213-UTF32', 'UniJISX02132004-UTF32', 'UniKS-UCS2', 'UniKS-UTF16', 'UniKS-UTF32', 'UniKS-UTF8',
])
const others = new Set(['H', 'V', 'Hankaku', 'Hiragana', 'Katakana', 'Roman', 'WP-Symbol'])

export function isPredefinedMap(name: string): boolean {
  if (others.has(name) || /^Adobe-(CNS1|GB1|Japan1|Korea1|KR)-(\d|UCS2)$/.test(name)) return true
  return /-[HV]$/.test(name) && directed.has(name.slice(0, -2))
}
