import { replacePart } from '../../../contract/quotes.ts'
import type { SearchPage, SearchQuery } from '../../../contract/search.ts'
import type { Db } from '../../db/pool.ts'
import type { ReadTime } from '../../db/read-within.ts'
import { findMeanings } from './corrections.ts'
import { findsAny } from './inside.queries.ts'
import { readTerms, type Term } from './terms.ts'

/** Words that are tried to be left out or corrected where nothing is found. */
const maxTried = 8
/** Words that a typed one is tried to have been. */
const maxMeant = 4
/** A search that took longer than this is answered without what is not known by then. */
const hintsUntilMs = 1_000
/** Searches with phrases that are tried: they read the pages of many notes. */
const maxPhraseTries = 3

/** Whether a search finds anything; null where there is no time to try it. */
type Try = (terms: Term[]) => Promise<boolean | null>

/** What to search for instead of something that finds nothing, as far as that is soon known. */
export async function makeHints(
  db: Db,
  time: ReadTime,
  filters: SearchQuery,
  terms: Term[],
): Promise<Pick<SearchPage, 'didYouMean' | 'leaveOut'>> {
  let phraseTries = 0
  const finds: Try = async (terms) => {
    if (time.spentMs() > hintsUntilMs) return null
    if (terms.some(({ kind }) => kind === 'phrase') && ++phraseTries > maxPhraseTries) return null
    await time.limitToRest()
    return findsAny(db, { terms, corrections: new Map(), filters })
  }
  const tried = terms.slice(0, maxTried)
  const leaveOut: string[] = []
  if (terms.length > 1) {
    for (const term of tried) {
      if (await finds(terms.filter((other) => other !== term))) leaveOut.push(term.typed)
    }
  }
  return { didYouMean: await findMeaning(db, finds, filters.text, tried), leaveOut }
}

/** The search with each word that no note has corrected to one that is known. */
async function findMeaning(db: Db, finds: Try, typed: string, tried: Term[]): Promise<string | null> {
  const nearest = await findMeanings(db, tried)
  let text = typed
  for (const term of tried) {
    const [word = ''] = term.kind === 'course' ? term.compounds : term.words
    const near = nearest.get(word)
    if ((term.kind !== 'word' && term.kind !== 'course') || !near || (await finds([term])) !== false) continue
    for (const other of near.slice(0, maxMeant)) {
      if (!(await finds([{ ...term, kind: 'word', words: [other], compounds: [] }]))) continue
      text = replacePart(text, term.typed, other)
      break
    }
  }
  return text !== typed && (await finds(readTerms(text))) ? text : null
}
