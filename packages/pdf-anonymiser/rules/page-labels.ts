import type { PdfDict, PdfValue } from '../syntax/values.ts'
import { sideText } from './auxiliary-text.ts'
import { dict, number, oneOf } from './basic.ts'
import type { Copier } from './copier.ts'

const label = dict({ S: oneOf('D', 'R', 'r', 'A', 'a'), P: sideText, St: number })
const maxDepth = 16

/** How pages are numbered: i, ii, iii, 1, 2, A-1. Undefined where they are just counted. */
export function copyPageLabels(catalog: PdfDict, copy: Copier): PdfDict | undefined {
  const ranges = new Map<number, PdfValue>()
  const read = (value: PdfValue | undefined, depth: number) => {
    const node = copy.source.resolve(value)
    if (!(node instanceof Map) || depth > maxDepth) return
    const pairs = copy.source.resolve(node.get('Nums'))
    for (let at = 0; Array.isArray(pairs) && at + 1 < pairs.length; at += 2) {
      const first = copy.source.resolve(pairs[at])
      const numbering = copy.apply(pairs[at + 1], label)
      if (Number.isSafeInteger(first) && numbering !== undefined && ranges.size < copy.limits.maxPages)
        ranges.set(Number(first), numbering)
    }
    const kids = copy.source.resolve(node.get('Kids'))
    if (Array.isArray(kids)) for (const kid of kids) read(kid, depth + 1)
  }
  read(catalog.get('PageLabels'), 0)
  if (ranges.size === 0) return undefined
  return new Map([['Nums', [...ranges].sort(([one], [other]) => one - other).flat()]])
}
