import { Autocomplete } from '@base-ui/react/autocomplete'
import { type ComponentProps, useEffect, useMemo, useRef, useState } from 'react'
import { countOf } from '../notes/format.ts'
import './suggest-input.css'
import { type Suggestion, type SuggestionGroup, type SuggestionKind, useSuggestions } from './use-suggestions.ts'

export type SuggestInputProps = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'defaultValue'> & {
  /** What is suggested, in this order. */
  kinds: SuggestionKind[]
  /** What a search for the text as typed is called, where that is suggested too. */
  ask?: string | undefined
  value: string
  onValueChange: (value: string) => void
  /** A suggestion was taken; `onValueChange` has been told as well. */
  onChoose?: ((value: string) => void) | undefined
}

const kindTexts: Record<SuggestionKind, string> = { courses: 'Courses', titles: 'Titles', instructors: 'Instructors' }

/** An input with what exists and goes with its text below it: one reads on with the arrows, and takes with Enter. */
export function SuggestInput({ kinds, ask, value, onValueChange, onChoose, className, ...input }: SuggestInputProps) {
  const place = useRef<HTMLDivElement>(null)
  const [isTyping, setTyping] = useState(false)
  const groups = useSuggestions(value, kinds, ask, isTyping)
  // What stands there already would lie over what comes next in the form, and suggest nothing.
  const isOpen =
    isTyping && groups.some(({ kind, items }) => kind === 'asked' || items.some(({ text }) => text !== value.trim()))
  const items = useMemo(() => groups.map(({ kind, items }) => ({ value: kind, items })), [groups])

  // A popup would do so once it has faded out.
  const actions = useRef<Autocomplete.Root.Actions>(null)
  useEffect(() => {
    if (!isOpen) actions.current?.unmount()
  }, [isOpen])

  /** By the mouse, and by Enter, which presses the suggestion one has come to. */
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
        // Without a popup of its own what is pressed in the list counts as outside of it.
        if (reason !== 'outside-press' || !place.current?.contains(event.target as Node)) setTyping(open)
      }}
      value={value}
      itemToStringValue={(item: Suggestion) => item.text}
      // Escape closes; it does not empty the field.
      onValueChange={(typed, { reason }) => reason !== 'escape-key' && onValueChange(typed)}
    >
      <Autocomplete.Input
        {...input}
        className={className}
        onKeyDown={(event) => {
          input.onKeyDown?.(event)
          // Whoever asks for what was typed needs no suggestions any more, those on their way included.
          if (event.key === 'Enter') setTyping(false)
        }}
        onBlur={(event) => {
          input.onBlur?.(event)
          setTyping(false)
        }}
      />
      {/* Beside the input, and without a popup's own focus: everything else on the page stays there for a screen reader. */}
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
