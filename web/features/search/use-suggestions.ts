import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { cutLine } from '../../../packages/contract/clean-text.ts'
import { searchTextLength } from '../../../packages/contract/limits.ts'
import { suggest } from '../../../packages/contract/search.endpoints.ts'
import type { Suggestions } from '../../../packages/contract/search.ts'
import { asPhrase } from '../../../packages/contract/search-text.ts'
import { api } from '../../platform/api/client.ts'
import { queryClient } from '../../platform/api/query-client.ts'

/** `text` is the search text when the suggestion is chosen. */
export type Suggestion = { value: string; text: string; count?: number }
export type SuggestionKind = keyof Suggestions
export type SuggestionGroup = { kind: SuggestionKind | 'asked'; items: Suggestion[] }

/** The delay avoids a request for every letter of a fast typist. */
const settledAfterMs = 120

/**
 * Returns existing values of these kinds that match the text, after a pause in typing; outdated requests are cancelled.
 * Empty if nothing matches or the request fails, because suggestions are optional.
 * @param ask the label of a search for the text itself, which is suggested first, without a delay.
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
    // The client is passed explicitly, because the navigation bar is outside the pages' query provider.
    queryClient,
  )
  const shown = isWanted && wanted !== '' ? data : undefined
  // The same object is returned until the data changes, because a new list renders again.
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
