import { type DocumentStore, noFind } from './document-store.ts'
import type { Pdfjs } from './note-file.ts'
import { findDensestMatch, type Hit, readHits, type SearchWord, spellingsOf } from './search-words.ts'

type EventBus = InstanceType<Pdfjs['viewer']['EventBus']>
type Links = InstanceType<Pdfjs['viewer']['PDFLinkService']>
type MatchesEvent = { matchesCount: { current: number; total: number }; state?: number }

/** A match with its index on the page, from 0, and the text around it. */
type Match = { page: number; at: number; before: string; text: string; after: string; isCurrent: boolean }
const around = 60

/** The find controller of pdf.js, which counts only the hits of `readHits`. */
export function createFinder({ viewer }: Pdfjs, bus: EventBus, links: Links) {
  class WordFinder extends viewer.PDFFindController {
    words: SearchWord[] = []
    readonly hits = new Map<number, Hit[]>()

    override match(query: string | string[], text: string, page: number): Hit[] {
      const hits = readHits(super.match(query, text, page) ?? [], text, this.words)
      this.hits.set(page, hits)
      return hits
    }

    /** Selects another hit on the current page. Stepping to it would redraw the page for each of hundreds of hits. */
    select(at: number): void {
      Object.assign(this._selected ?? {}, { matchIdx: at })
      Object.assign(this._offset ?? {}, { matchIdx: at })
    }

    /** The first matches in page order, with the text as written. */
    list(max: number): Match[] {
      const { pageIdx, matchIdx } = this.selected ?? {}
      return [...this.hits]
        .sort(([one], [other]) => one - other)
        .flatMap(([page, hits]) => hits.map((hit, at) => ({ page, at, ...hit })))
        .slice(0, max)
        .map(({ page, at, index, length }) => {
          const text: string = this._pageContents[page] ?? ''
          return {
            page: page + 1,
            at,
            before: text.slice(Math.max(0, index - around), index).normalize(),
            text: text.slice(index, index + length).normalize(),
            after: text.slice(index + length, index + length + around).normalize(),
            isCurrent: page === pageIdx && at === matchIdx,
          }
        })
    }

    /** Makes this match the next one that pdf.js selects. */
    turnTo({ page, at }: Pick<Match, 'page' | 'at'>): void {
      Object.assign(this._offset ?? {}, { pageIdx: page - 1, matchIdx: at - 1, wrapped: false })
    }

    hasReadAll(): boolean {
      const read = this.pageMatches ?? []
      return read.length === links.pagesCount && !read.includes(undefined)
    }
  }
  return new WordFinder({ eventBus: bus, linkService: links })
}
type Finder = ReturnType<typeof createFinder>

export function createFindController({ viewer }: Pdfjs, finder: Finder, bus: EventBus, store: DocumentStore) {
  let query: string | string[] = ''
  /** The first hit of a new search has not been shown yet. */
  let isNew = false

  const { FOUND, WRAPPED, PENDING } = viewer.FindState
  /** Selects the best hit before pdf.js shows the first. @returns how many hits further it is. */
  function skipToBest(state: number | undefined): number {
    if (!isNew || (state !== FOUND && state !== WRAPPED)) return 0
    isNew = false
    const best = findDensestMatch(finder.hits.get(finder.selected?.pageIdx ?? -1) ?? [])
    finder.select(best)
    return best
  }

  const onMatches = ({ matchesCount: { current, total }, state }: MatchesEvent) => {
    const skipped = skipToBest(state)
    store.setState(({ find }) => ({
      find: {
        ...find,
        current: current + skipped,
        total,
        isPending: state === undefined ? find.isPending : state === PENDING,
        isComplete: finder.hasReadAll(),
      },
    }))
  }
  bus.on('updatefindmatchescount', onMatches)
  bus.on('updatefindcontrolstate', onMatches)
  // pdf.js sends this for every page that it has read, also without hits.
  bus.on('updatetextlayermatches', () => {
    const { find } = store.getState()
    const isComplete = finder.hasReadAll()
    if (isComplete !== find.isComplete) store.setState({ find: { ...find, isComplete } })
  })

  const ask = (type: '' | 'again', findPrevious = false) =>
    bus.dispatch('find', {
      type,
      query,
      findPrevious,
      highlightAll: true,
      caseSensitive: false,
      entireWord: false,
      matchDiacritics: false,
    })

  return {
    /** Highlights the text literally, or each of a search's `words`; empty text stops the search. */
    start(text: string, words: SearchWord[] = []) {
      if (text.trim() === '') return this.stop()
      query = (words.length === 0 ? [text] : words.flatMap(({ typed, forms }) => [typed, ...forms])).flatMap(
        spellingsOf,
      )
      finder.words = words
      finder.hits.clear()
      isNew = true
      store.setState({ find: { ...noFind, text, isPending: true } })
      ask('')
    },
    list: (max: number) => finder.list(max),
    goTo(match: Match) {
      finder.turnTo(match)
      // If the last match were out of view, pdf.js would continue at the current page.
      const { onIsPageVisible } = finder
      finder.onIsPageVisible = () => true
      ask('again')
      finder.onIsPageVisible = onIsPageVisible
    },
    next: () => ask('again'),
    previous: () => ask('again', true),
    stop() {
      query = ''
      isNew = false
      store.setState({ find: noFind })
      bus.dispatch('findbarclose', {})
    },
  }
}
