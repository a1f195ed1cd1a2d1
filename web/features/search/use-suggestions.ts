import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { cutLine } from '../../../packages/contract/clean-text.ts'
import { searchTextLength } from '../../../packages/contract/limits.ts'
import { suggest } from '../../../packages/contract/search.endpoints.ts'
import type { Suggestions } from '../../../packages/contract/search.ts'
import { asPhrase } from '../../../packages/contract/search-text.ts'
import { api } from '../../platform/api/client.ts'
import { queryClient } from '../../platform/api/query-client.ts'

/** `text`: what is looked for when it is taken. */
export type Suggestion = { value: string; text: string; count?: number }
export type SuggestionKind = keyof Suggestions
export type SuggestionGroup = { kind: SuggestionKind | 'asked'; items: Suggestion[] }

/** A quick typist asks about words, not about letters. */
const settledAfterMs = 120

/**
 * What exists of these kinds and goes with the text, once it rests; a question that it has outrun is taken back. Nothing
 * where there is nothing to look for, or where it cannot be had: whoever types can do without.
 * @param ask what a search for the text itself is called, which is then suggested first, at every key.
 */
export function useSuggestions(
  text: string,
  kinds: SuggestionKind[],
  ask: string | undefined,
  isWanted: boolean,
): SuggestionGroup[] {
  const wanted = cutLine(text, searchTextLength.max)
  const asked = useDebounced(wanted)
  const { data } = useQuery(
    {
      queryKey: ['suggestions', asked],
      queryFn: ({ signal }) => api.call(suggest, { query: { text: asked }, signal }),
      enabled: isWanted && kinds.length > 0 && asked !== '' && asked === wanted,
      placeholderData: keepPreviousData,
    },
    // Named, since the navigation bar stands outside of the pages, which have theirs from around them.
    queryClient,
  )
  const shown = isWanted && wanted !== '' ? data : undefined
  // The same ones at every key, until there are others: a list that is new is built anew.
  const existing = useMemo(
    () => (shown ? kinds.map((kind) => ({ kind, items: itemsOf(shown, kind) })).filter(hasItems) : none),
    [shown, kinds],
  )
  return useMemo(() => {
    if (ask === undefined || wanted === '') return existing
    return [{ kind: 'asked', items: [{ value: `${ask} for “${wanted}”`, text: wanted }] }, ...existing]
  }, [ask, wanted, existing])
}

const none: SuggestionGroup[] = []
const hasItems = ({ items }: SuggestionGroup) => items.length > 0

function itemsOf(data: Suggestions, kind: SuggestionKind): Suggestion[] {
  if (kind === 'courses') return data.courses.map(({ courseCode, count }) => suggestion(courseCode, count))
  if (kind === 'titles') return data.titles.map(({ title, count }) => suggestion(title, count, asPhrase(title)))
  return data.instructors.map(({ instructor, count }) => suggestion(instructor, count))
}

const suggestion = (value: string, count: number, text = value): Suggestion => ({ value, text, count })

function useDebounced(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settledAfterMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
