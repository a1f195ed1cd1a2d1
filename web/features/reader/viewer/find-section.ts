import type { PDFDocumentProxy } from 'pdfjs-dist'

export type Entry = Awaited<ReturnType<PDFDocumentProxy['getOutline']>>[number]

/** Limits the search, because each page on the way has to be loaded. */
const maxPagesBack = 60

/** The section of a page: the first that begins on it, or else the last before it. Null if there is none. */
export async function findSection(document: PDFDocumentProxy, entries: Entry[], page: number): Promise<Entry | null> {
  const places = await placesOf(document, flatten(entries))
  if (places.length === 0) return null
  for (let number = page; number > Math.max(0, page - maxPagesBack); number--) {
    const { ref } = await document.getPage(number)
    const here = places.filter(({ target }) =>
      typeof target === 'number' ? target === number - 1 : isSame(target, ref),
    )
    const found = number === page ? here[0] : here.at(-1)
    if (found) return found.entry
  }
  return null
}

const flatten = (entries: Entry[]): Entry[] => entries.flatMap((entry) => [entry, ...flatten(entry.items)])

type Reference = { num: number; gen: number }
const isSame = (one: Reference, other: Reference | null) => one.num === other?.num && one.gen === other.gen

/** The target pages of the entries: an object reference, or an index from 0. */
async function placesOf(document: PDFDocumentProxy, entries: Entry[]) {
  const isNamed = entries.some(({ dest }) => typeof dest === 'string')
  const named = isNamed ? await document.getDestinations() : new Map<string, unknown[]>()
  return entries.flatMap((entry) => {
    const destination = typeof entry.dest === 'string' ? named.get(entry.dest) : entry.dest
    const target: unknown = destination?.[0]
    const isPage = typeof target === 'number' || (typeof target === 'object' && target !== null && 'num' in target)
    return isPage ? [{ entry, target: target as number | Reference }] : []
  })
}
