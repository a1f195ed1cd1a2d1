import { Autocomplete } from '@base-ui/react/autocomplete'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ComponentProps, startTransition, useEffect, useMemo, useRef, useState } from 'react'
import { cutLine } from '../../../packages/contract/clean-text.ts'
import { searchTextLength } from '../../../packages/contract/limits.ts'
import { suggest } from '../../../packages/contract/search.endpoints.ts'
import type { Suggestions } from '../../../packages/contract/search.ts'
import { asPhrase } from '../../../packages/contract/search-text.ts'
import { api } from '../../platform/api/client.ts'
import { queryClient } from '../../platform/api/query-client.ts'
import { useDebounced } from '../../platform/ui/browser.ts'
import { countOf } from '../notes/format.ts'
import './suggest-input.css'

export type SuggestInputProps = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'defaultValue'> & {
  /** The kinds of suggestions, in display order. */
  kinds: SuggestionKind[]
  /** The label of a search for the typed text, if that is suggested too. */
  ask?: string | undefined
  value: string
  onValueChange: (value: string) => void
  /** Called with the chosen suggestion, after `onValueChange`. */
  onChoose?: ((value: string) => void) | undefined
}

const kindTexts: Record<SuggestionKind, string> = { courses: 'Courses', titles: 'Titles', instructors: 'Instructors' }

/** An input with matching suggestions below it. Arrow keys move through them, and Enter chooses one. */
export function SuggestInput({ kinds, ask, value, onValueChange, onChoose, className, ...input }: SuggestInputProps) {
  const place = useRef<HTMLDivElement>(null)
  const [isTyping, setTyping] = useState(false)
  const groups = useSuggestions(value, kinds, ask, isTyping)
  // A suggestion equal to the input adds nothing and would cover the next field.
  const isOpen =
    isTyping && groups.some(({ kind, items }) => kind === 'asked' || items.some(({ text }) => text !== value.trim()))
  const items = useMemo(() => groups.map(({ kind, items }) => ({ value: kind, items })), [groups])

  // There is no popup whose fade-out would unmount the list, so this does.
  const actions = useRef<Autocomplete.Root.Actions>(null)
  useEffect(() => {
    if (!isOpen) actions.current?.unmount()
  }, [isOpen])

  /** Called after a click on the active suggestion, which Enter triggers too. */
  function choose(chosen: string) {
    setTyping(false)
    onValueChange(chosen)
    onChoose?.(chosen)
  }

  return (
    <Autocomplete.Root
      items={items}
      filter={null}
      actionsRef={actions}
      open={isOpen}
      onOpenChange={(open, { reason, event }) => {
        // The list has no popup element, so a press inside it is reported as an outside press.
        if (reason === 'outside-press' && place.current?.contains(event.target as Node)) return
        // The first letter is shown before the list, which a slow phone needs longer to build.
        if (open) startTransition(() => setTyping(true))
        else setTyping(false)
      }}
      value={value}
      itemToStringValue={(item: Suggestion) => item.text}
      // Escape closes the list and does not empty the field.
      onValueChange={(typed, { reason }) => reason !== 'escape-key' && onValueChange(typed)}
    >
      <Autocomplete.Input
        {...input}
        className={className}
        onKeyDown={(event) => {
          input.onKeyDown?.(event)
          // Enter searches for the typed text, so suggestions that arrive later must not open the list.
          if (event.key === 'Enter') setTyping(false)
        }}
        onBlur={(event) => {
          input.onBlur?.(event)
          setTyping(false)
        }}
      />
      {/* The list is beside the input and takes no focus, so that screen readers can still reach the whole page. */}
      <div ref={place} className="suggest-input-place" />
      <Autocomplete.Portal container={place}>
        <Autocomplete.Positioner className="suggest-input-positioner" sideOffset={4}>
          <div className="popup suggest-input-popup">
            <Autocomplete.Status className="visually-hidden">{countText(groups)}</Autocomplete.Status>
            <Autocomplete.List className="suggest-input-list">
              {(group: { value: SuggestionGroup['kind']; items: Suggestion[] }) => (
                <Autocomplete.Group key={group.value} items={group.items}>
                  {group.value !== 'asked' && (
                    <Autocomplete.GroupLabel
                      className={kinds.length > 1 ? 'text-faint suggest-input-kind' : 'visually-hidden'}
                    >
                      {kindTexts[group.value]}
                    </Autocomplete.GroupLabel>
                  )}
                  <Autocomplete.Collection>
                    {(item: Suggestion) => (
                      <Autocomplete.Item
                        key={item.value}
                        value={item}
                        className="suggest-input-item"
                        onClick={() => choose(item.text)}
                      >
                        <span className="text">{item.value}</span>{' '}
                        {item.count !== undefined && (
                          <span className="text-soft text-count suggest-input-count">
                            {countOf(item.count, 'note')}
                          </span>
                        )}
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </div>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  )
}

function countText(groups: SuggestionGroup[]): string {
  const count = groups.reduce((sum, { items }) => sum + items.length, 0)
  return `${countOf(count, 'suggestion')}.`
}

/** `text` is the search text when the suggestion is chosen. */
type Suggestion = { value: string; text: string; count?: number }
export type SuggestionKind = keyof Suggestions
type SuggestionGroup = { kind: SuggestionKind | 'asked'; items: Suggestion[] }

/** The delay avoids a request for every letter of a fast typist. */
const settledAfterMs = 120

/**
 * Returns existing values of these kinds that match the text, after a pause in typing; outdated requests are cancelled.
 * Empty if nothing matches or the request fails, because suggestions are optional.
 * @param ask the label of a search for the text itself, which is suggested first, without a delay.
 */
function useSuggestions(
  text: string,
  kinds: SuggestionKind[],
  ask: string | undefined,
  isWanted: boolean,
): SuggestionGroup[] {
  const wanted = cutLine(text, searchTextLength.max)
  const asked = useDebounced(wanted, settledAfterMs)
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
