import type { PDFDocumentProxy } from 'pdfjs-dist'

/** An entry of a table of contents. */
export type Entry = Awaited<ReturnType<PDFDocumentProxy['getOutline']>>[number]

/** So far back: every page on the way has to be asked for. */
const maxPagesBack = 60

/** The section that a page is in: the first that begins on it, or else the last that began before. Null without one. */
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

/** The pages that entries lead to, as the file names them: by object, or by number from 0. */
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
