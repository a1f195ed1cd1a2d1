import { isRegular, isWhitespace } from '../syntax/characters.ts'
import { latin1 } from '../syntax/lexer.ts'
import { skipComment, skipContainer, skipString } from '../syntax/skip.ts'
import { PdfRefused } from '../syntax/values.ts'
import { cleanInlineImage } from './inline-image.ts'

// biome-ignore format: a list of words (ISO 32000-1, annex A)
const operators = new Set([
  'b', 'B', 'b*', 'B*', 'BI', 'BT', 'BX', 'c', 'cm', 'CS', 'cs', 'd', 'd0', 'd1', 'Do', 'EMC', 'ET', 'EX', 'f', 'F', 'f*',
  'G', 'g', 'gs', 'h', 'i', 'j', 'J', 'K', 'k', 'l', 'm', 'M', 'n', 'q', 'Q', 're', 'RG', 'rg', 'ri', 's', 'S', 'SC', 'sc',
  'SCN', 'scn', 'sh', 'T*', 'Tc', 'Td', 'TD', 'Tf', 'Tj', 'TJ', 'TL', 'Tm', 'Tr', 'Ts', 'Tw', 'Tz', 'v', 'w', 'W', 'W*', 'y',
  "'", '"',
])

type Span = { start: number; end: number }

/**
 * A page description that draws the same and says nothing on the side: comments, the properties of marked content
 * (replacement texts, names of placed files) and words that are no operators go. Layers stay marked, by their name in
 * the resources. What is drawn is the student's own.
 */
export function cleanContent(source: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = []
  let copied = 0
  const replace = (start: number, end: number, by: string | Uint8Array = '') => {
    parts.push(source.subarray(copied, start), Buffer.from(by as string, 'latin1'))
    copied = end
  }
  const onComment = (start: number, end: number) => replace(start, end, ' ')

  let operands: Span[] = []
  let at = 0
  while (at < source.length) {
    const byte = source[at]
    if (isWhitespace(byte)) at++
    else if (byte === 0x25) {
      const end = skipComment(source, at)
      onComment(at, end)
      at = end
    } else if (isOperandStart(byte)) {
      const end = skipOperand(source, at, onComment)
      operands.push({ start: at, end })
      at = end
    } else {
      let end = at + 1
      while (isRegular(source[end])) end++
      const word = latin1(source, at, end)
      if (isNumberLike(word)) operands.push({ start: at, end })
      else {
        const from = operands[0]?.start ?? at
        if (word === 'BI') {
          const image = cleanInlineImage(source, end)
          replace(at, image.end, image.bytes)
          end = image.end
        } else if (word === 'BDC' && isLayer(source, operands)) {
          // stays as it is
        } else if (word === 'BDC' || word === 'BMC') replace(from, end, '/M BMC')
        else if (!operators.has(word)) replace(from, end)
        operands = []
      }
      at = end
    }
  }
  // An operator may stand in the page's next stream, but a dictionary here is a property list cut off from its own.
  if (operands.some(({ start }) => latin1(source, start, start + 2) === '<<')) throw new PdfRefused('operator missing')
  parts.push(source.subarray(copied))
  return Buffer.concat(parts)
}

/** `(`, `<`, `[`, `/` */
const isOperandStart = (byte: number | undefined) => byte === 0x28 || byte === 0x3c || byte === 0x5b || byte === 0x2f

function skipOperand(source: Uint8Array, at: number, onComment: (start: number, end: number) => void): number {
  const byte = source[at]
  if (byte === 0x2f) {
    let end = at + 1
    while (isRegular(source[end])) end++
    return end
  }
  const isContainer = byte === 0x5b || (byte === 0x3c && source[at + 1] === 0x3c)
  return isContainer ? skipContainer(source, at, onComment) : skipString(source, at)
}

const isNumberLike = (word: string) => /^[+\-.\d]/.test(word) || word === 'true' || word === 'false' || word === 'null'

/** `/OC /Name`: the two operands of marked content that belongs to a layer. */
function isLayer(source: Uint8Array, operands: Span[]): boolean {
  const [tag, name] = operands
  if (operands.length !== 2 || !tag || !name || source[name.start] !== 0x2f) return false
  return latin1(source, tag.start, tag.end) === '/OC'
}
