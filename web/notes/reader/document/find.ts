import { phraseOrPlain } from '../../../../contract/quotes.ts'
import { type DocumentStore, noFind } from './document-store.ts'
import type { Pdfjs } from './load-pdfjs.ts'

type EventBus = InstanceType<Pdfjs['viewer']['EventBus']>
type Told = { matchesCount: { current: number; total: number }; state?: number }

/** Finding within the document, told to the store. */
export function followFind({ viewer }: Pdfjs, bus: EventBus, store: DocumentStore) {
  const told = ({ matchesCount, state }: Told) =>
    store.setState(({ find }) => ({
      find: {
        ...find,
        ...matchesCount,
        isPending: state === undefined ? find.isPending : state === viewer.FindState.PENDING,
      },
    }))
  bus.on('updatefindmatchescount', told)
  bus.on('updatefindcontrolstate', told)

  let query: string | string[] = ''
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
    /** Marks everywhere what was typed as it stands, or each of several words; nothing for an empty text. */
    start(text: string, parts: string | string[] = text) {
      if (text.trim() === '') return this.stop()
      query = parts
      store.setState({ find: { ...noFind, text, isPending: true } })
      ask('')
    },
    next: () => ask('again'),
    previous: () => ask('again', true),
    stop() {
      query = ''
      store.setState({ find: noFind })
      bus.dispatch('findbarclose', {})
    },
  }
}

/**
 * The words and "phrases" of a search, each to be marked by itself. Where there are longer ones, those of one or two
 * letters are left out: they would be marked within every other word.
 */
export function readSearch(text: string): string[] {
  const parts = [...text.matchAll(phraseOrPlain)].flatMap(([, phrase, plain = '']) =>
    phrase === undefined ? plain.split(/\s+/) : [phrase.trim()],
  )
  const given = [...new Set(parts.filter(Boolean))]
  const long = given.filter((part) => [...part].length > 2)
  return long.length > 0 ? long : given
}
