import { decodeText, latin1 } from '../syntax/lexer.ts'
import type { PdfFile } from '../syntax/read.ts'
import { PdfString, type PdfValue } from '../syntax/values.ts'
import type { Rule } from './copier.ts'
import { containsName } from './names.ts'

const maxBytes = 4_000

/**
 * What a reader offers beside the page: titles of bookmarks, descriptions of pictures. It is the student's own text as
 * the page's is, but programs write some of it by themselves, the name of a file that was merged into this one for
 * example: it stays unless one of the names is in it.
 */
export const auxiliaryText: Rule = (value, copy) => {
  if (!(value instanceof PdfString) || value.bytes.length > maxBytes) return undefined
  // Read as bytes too, lest a damaged mark of its encoding hide a name.
  const readings = [decodeText(value.bytes), latin1(value.bytes).replaceAll('\0', '')]
  return readings.some((text) => containsName(text, copy.names)) ? undefined : value
}

/** Whom the file itself names as its author. */
export function findAuthors(source: PdfFile): string[] {
  const information = source.resolve(source.trailer.get('Info'))
  const author: PdfValue = information instanceof Map ? source.resolve(information.get('Author')) : null
  return author instanceof PdfString ? [decodeText(author.bytes)] : []
}
