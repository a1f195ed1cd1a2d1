import type { Term } from './expand.ts'

/** A term with its weight; the rarest words have the highest. */
export type Weighed = Term & { weight: number; isRequired: boolean }

/** More required words hardly improve the results and take several times as long. */
const maxRequired = 6
/** Weight factor of other words: those beyond the first six, stop words, and letters as in “Vitamin C”. */
const notRequired = 0.12

const idf = (notes: number, total: number) => Math.log(1 + (Math.max(total, notes) - notes + 0.5) / (notes + 0.5))

/** Weighs the terms and marks those with the highest weight as required. An unknown word weighs as the rarest known. */
export function weigh(terms: Term[], total: number): Weighed[] {
  const needed = terms.filter(({ isOptional }) => !isOptional)
  const rarest = Math.min(...needed.filter(({ isKnown }) => isKnown).map(({ notes }) => notes))
  const weights = new Map(terms.map((term) => [term, idf(term.isKnown ? term.notes : Math.min(rarest, total), total)]))
  const weightOf = (term: Term) => weights.get(term) ?? 0
  const required = new Set(needed.toSorted((a, b) => weightOf(b) - weightOf(a)).slice(0, maxRequired))
  return terms.map((term) => {
    const isRequired = required.has(term)
    return { ...term, isRequired, weight: weightOf(term) * (isRequired ? 1 : notRequired) }
  })
}

/**
 * The share of the weight of the required words that a note must have if it lacks some of them. Less is enough if the
 * note is about one of them; but when a word is in no note at all, only for a question.
 */
const minShare = { usual: 0.58, about: 0.42 }
const minShareAbout = (required: Term[], isQuestion: boolean) =>
  isQuestion || required.every(({ isKnown }) => isKnown) ? minShare.about : minShare.usual
const maxSets = 20

/** Returns the smallest sets of required words with enough weight. A note that has one of these sets may be listed. */
export function partialSets(terms: Weighed[], isQuestion: boolean): Weighed[][] {
  const required = terms.filter(({ isRequired }) => isRequired)
  const all = sum(required.map(({ weight }) => weight))
  const known = required.filter(({ isKnown }) => isKnown)
  const least = minShareAbout(required, isQuestion) * all
  const enough = (set: Weighed[]) => sum(set.map(({ weight }) => weight)) >= least
  const sets = Array.from({ length: 2 ** known.length }, (_, bits) => known.filter((_, at) => bits & (2 ** at)))
  const isMinimal = (set: Weighed[]) =>
    enough(set) && set.every((term) => !enough(set.filter((other) => other !== term)))
  return sets.filter((set) => set.length > 0 && isMinimal(set)).slice(0, maxSets)
}

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)

/** The data of a note that may match. */
export type Candidate = {
  id: string
  createdAt: Date
  isAnonymous: boolean
  likes: number
  titleLength: number
  /** The size of its compressed distinct words. */
  textBytes: number
  /** Query words in `note_search.ranked`, with the letters of their weights and, for a topic, its rank from 1. */
  ranked: Map<string, { weights: string; position: number }>
  /** For each term, whether the note's text has it; null when the note has all required words. */
  inText: boolean[] | null
}
export type Scored = Candidate & { score: number; missing: string[] }

/** A word says less about a long text. Texts of up to this many bytes, some three pages, count as short. */
const shortText = 2_000
/** The worth of a match in the title, in course, instructor or author, among the topics, or only in the text. */
const places = { title: 1, field: 0.9, mainTopic: 0.55, topic: 0.45, text: 0.3 }
/** Breaks ties between notes with the word among their topics: a higher frequency scores better. */
const ofPosition = (position: number) => 0.05 * (1 - Math.min(60, position) / 60)

/** Computes the score of a note and the required words that it lacks. */
function scoreOf(note: Candidate, terms: Weighed[]): Scored {
  let score = 0
  const missing: string[] = []
  /** A word weighs more in a short title. */
  const titleFactor = 1 - 0.02 * Math.min(12, note.titleLength)
  const textFactor = 1 / (1 + 0.1 * Math.log2(Math.max(1, note.textBytes / shortText)))
  for (const [at, term] of terms.entries()) {
    const inText = note.inText ? note.inText[at] === true : term.isRequired
    let best = inText ? textFactor * places.text * Math.max(0, ...term.forms.map(({ factor }) => factor)) : 0
    for (const { form, factor } of term.forms) {
      const ranked = note.ranked.get(form)
      if (ranked === undefined) continue
      const { weights, position } = ranked
      const isTopic = /[CD]/.test(weights)
      const field = weights.includes('A') ? places.title : weights.includes('B') ? places.field : 0
      const topic = (weights.includes('C') ? places.mainTopic : places.topic) + ofPosition(position)
      const text = textFactor * (isTopic ? topic : inText ? places.text : 0)
      best = Math.max(best, factor * (field > 0 ? field * titleFactor + text / 2 : text))
    }
    if (best === 0 && term.isRequired) missing.push(term.word)
    score += term.weight * best
  }
  return { ...note, missing, score }
}

/** Notes that lack a word are left out below this share of the best score. */
const minPartialScore = 0.3

/** Returns the best notes first; notes with all words come before others. */
export function rank(candidates: Candidate[], terms: Weighed[], isQuestion: boolean): Scored[] {
  const required = terms.filter(({ isRequired }) => isRequired)
  const all = sum(required.map(({ weight }) => weight))
  const least = minShareAbout(required, isQuestion) * all
  const placesAbout = isQuestion ? /[ABCD]/ : /[ABC]/
  const isAbout = (note: Scored) =>
    required.some(({ forms }) => forms.some(({ form }) => placesAbout.test(note.ranked.get(form)?.weights ?? '')))
  const scored = candidates
    .map((note) => scoreOf(note, terms))
    .filter((note) => {
      if (note.missing.length === 0) return true
      const has = all - sum(required.filter(({ word }) => note.missing.includes(word)).map(({ weight }) => weight))
      return has >= minShare.usual * all || (has >= least && isAbout(note))
    })
    .sort((a, b) => b.score - a.score || b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1))
  const best = scored[0]?.score ?? 0
  const isPartial = ({ missing }: Scored) => missing.length > 0
  return [
    ...scored.filter((note) => !isPartial(note)),
    ...scored.filter((note) => isPartial(note) && note.score >= best * minPartialScore),
  ]
}
