import { decodePdfDoc, decodeText } from '../syntax/lexer.ts'
import type { PdfFile } from '../syntax/read.ts'
import { PdfString, type PdfValue } from '../syntax/values.ts'
import type { Rule } from './copier.ts'
import { containsName } from './names.ts'

const maxBytes = 4_000

/**
 * Text that a reader shows beside the page, such as bookmark titles and image descriptions. It is mostly the author's
 * own text, but programs also generate some, such as the name of a merged file, so it is kept only if it contains none
 * of the names.
 */
export const auxiliaryText: Rule = (value, copy) => {
  if (!(value instanceof PdfString) || value.bytes.length > maxBytes) return undefined
  return readText(value).some((text) => containsName(text, copy.names)) ? undefined : value
}

/**
 * Returns all readings of a text. Without a mark its encoding is uncertain, and even if it has one, it is also read
 * without, because a damaged mark could hide a name.
 */
const readText = ({ bytes }: PdfString) => [decodeText(bytes), decodePdfDoc(bytes).replaceAll('\0', '')]

/** Lists the authors that the file itself names. */
export function findAuthors(source: PdfFile): string[] {
  const information = source.resolve(source.trailer.get('Info'))
  const author: PdfValue = information instanceof Map ? source.resolve(information.get('Author')) : null
  return author instanceof PdfString ? readText(author) : []
}
