import { phraseOrPlain } from '../../../contract/quotes.ts'
import { type Compound, tokenise, type Word } from '../../words/tokens.ts'

/** One thing that is looked for. Every term of a search has to be found in a note. */
export type Term = {
  /** As it was typed. */
  typed: string
  /**
   * `word`: one word. `course`: a subject and a number, together or apart. `signs`: a word with its signs, such as `c++`, or
   * a sign alone. `phrase`: words that follow one another.
   */
  kind: 'word' | 'course' | 'signs' | 'phrase'
  /** Folded, in their order. */
  words: string[]
  /** What has to be found besides or, of a course, instead. */
  compounds: string[]
  /** May be the beginning of a word of a text: nobody knows whether it was typed to its end. */
  isOpen: boolean
}

/** What a search looks for, each thing once. Nothing where there is nothing to look for. */
export function readTerms(text: string): Term[] {
  const terms: Term[] = []
  const signs: Term[] = []
  for (const [, phrase, plain] of text.matchAll(phraseOrPlain)) {
    if (phrase) terms.push(...readPhrase(phrase))
    if (plain) {
      const found = readPlain(plain)
      terms.push(...found.terms)
      signs.push(...found.signs)
    }
  }
  // A sign beside words is more often a slip than what is looked for.
  const all = terms.length > 0 ? terms : signs
  return all.filter((term, at) => all.findIndex((other) => sameTerm(other, term)) === at)
}

const sameTerm = (one: Term, other: Term) =>
  one.kind === other.kind &&
  one.words.join(' ') === other.words.join(' ') &&
  one.compounds.join() === other.compounds.join()

function readPhrase(text: string): Term[] {
  const { words, compounds } = tokenise(text)
  const inOrder = withoutLastTail(words)
  const besides = compounds.filter(({ kind }) => kind === 'signs' || kind === 'sign').map(({ word }) => word)
  if (inOrder.length === 0) return besides.map((sign) => makeTerm(text, 'signs', [], [sign]))
  const kind = inOrder.length > 1 ? 'phrase' : besides.length > 0 ? 'signs' : 'word'
  return [makeTerm(`"${text.trim()}"`, kind, inOrder, besides)]
}

function readPlain(text: string): { terms: Term[]; signs: Term[] } {
  const { words, compounds } = tokenise(text)
  const typed = (start: number, end: number) => text.slice(start, end)
  const terms: Term[] = []
  const at = new Map(
    compounds.filter(({ kind }) => kind === 'signs' || kind === 'course').map((found) => [found.at, found]),
  )
  for (let index = 0; index < words.length; ) {
    const word = words[index]
    if (!word) break
    const compound = at.get(index)
    if (compound) {
      const kind = compound.kind === 'course' ? 'course' : 'signs'
      const of = words.slice(index, index + compound.count)
      terms.push(makeTerm(typed(compound.start, compound.end), kind, of.map(wordOf), [compound.word]))
      index += compound.count
    } else if (word.run !== undefined) {
      const run = words.filter((other) => other.run === word.run)
      const inOrder = withoutLastTail(run)
      const kind = inOrder.length > 1 ? 'phrase' : 'word'
      terms.push({ ...makeTerm(typed(word.start, run.at(-1)?.end ?? word.end), kind, inOrder, []), isOpen: true })
      index += run.length
    } else {
      terms.push({
        ...makeTerm(typed(word.start, word.end), 'word', [word.word], []),
        isOpen: index === words.length - 1,
      })
      index++
    }
  }
  const alone = (compound: Compound) => compound.kind === 'sign'
  return { terms, signs: compounds.filter(alone).map((sign) => makeTerm(sign.word, 'signs', [], [sign.word])) }
}

const makeTerm = (typed: string, kind: Term['kind'], words: string[], compounds: string[]): Term => ({
  typed,
  kind,
  words,
  compounds,
  isOpen: false,
})

const wordOf = ({ word }: Word) => word

/** A run may go on where the typed one ends: its last character alone says no more than the pair before. */
function withoutLastTail(words: Word[]): string[] {
  const isLong = words.at(-1)?.isTail && words.at(-2)?.run === words.at(-1)?.run
  return (isLong ? words.slice(0, -1) : words).map(wordOf)
}
