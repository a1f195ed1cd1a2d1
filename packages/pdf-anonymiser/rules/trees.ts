import type { PdfFile } from '../syntax/read.ts'
import type { PdfArray, PdfValue } from '../syntax/values.ts'

/**
 * Yields the keys and values of a tree of names or numbers (ISO 32000-1, 7.9.6 and 7.9.7). Each of its arrays is read
 * once, even if many nodes share it.
 */
export function* readTree(
  source: PdfFile,
  root: PdfValue | undefined,
  key: 'Names' | 'Nums',
): Generator<[PdfValue, PdfValue]> {
  const seen = new Set<PdfArray>()
  const readArray = (value: PdfValue | undefined): PdfArray => {
    const array = source.resolve(value)
    if (!Array.isArray(array) || seen.has(array)) return []
    seen.add(array)
    return array
  }
  const nodes = [root]
  for (const value of nodes) {
    const node = source.resolve(value)
    if (!(node instanceof Map)) continue
    const pairs = readArray(node.get(key))
    for (let at = 0; at + 1 < pairs.length; at += 2) yield [source.resolve(pairs[at]), pairs[at + 1] ?? null]
    for (const kid of readArray(node.get('Kids'))) nodes.push(kid)
  }
}
