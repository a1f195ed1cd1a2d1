import { Autocomplete } from '@base-ui/react/autocomplete'
import { type ComponentProps, startTransition, useEffect, useMemo, useRef, useState } from 'react'
import { countOf } from '../notes/format.ts'
import './suggest-input.css'
import { type Suggestion, type SuggestionGroup, type SuggestionKind, useSuggestions } from './use-suggestions.ts'

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
