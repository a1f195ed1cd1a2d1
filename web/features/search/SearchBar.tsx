import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { searchSortKeys, sortKeys } from '../../../packages/contract/search.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { isMobile } from '../../platform/ui/browser.ts'
import { SelectField, TextField } from '../../platform/ui/fields.tsx'
import { Icon } from '../../platform/ui/Icon.tsx'
import { classNames } from '../../platform/ui/layout.tsx'
import { markStep } from '../home/first-steps.ts'
import { ChoiceField } from '../notes/ChoiceField.tsx'
import { filterNames, filters } from './filters.ts'
import { boxHint, SearchBox } from './SearchBox.tsx'
import {
  activeFilters,
  emptySearch,
  isSameSearch,
  type NoteSearch,
  normalizeSearch,
  sortOptions,
} from './search-params.ts'
import './search-bar.css'

type SearchBarProps = {
  heading: string
  /** The label of the search box, if it does not search all notes. */
  boxLabel: string | undefined
  /** The displayed search. Typing changes a draft, which is reset when the search changes from outside. */
  search: NoteSearch
  isSearching: boolean
  onSearch: (search: NoteSearch) => void
}

const searchNames = ['text', ...filterNames] as const

export function SearchBar({ heading, boxLabel, search, isSearching, onSearch }: SearchBarProps) {
  const [draft, setDraft] = useState(search)
  const [followed, setFollowed] = useState(search)
  if (followed !== search) {
    setFollowed(search)
    // Grouping by course does not change the search, so the draft stays.
    if (!isSameSearch(followed, search)) setDraft(keepTyped(draft, followed, search))
  }
  const [isUnfolded, setUnfolded] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const headingId = useId()
  const filtersId = useId()
  useRestoreFocus(form, isSearching)

  function run(next: NoteSearch) {
    if (isSearching) return
    setUnfolded(false)
    setDraft(normalizeSearch(next))
    onSearch(next)
  }

  function runText(next: NoteSearch) {
    // A new text search is sorted by relevance until the user chooses another order.
    const isNew = search.text === '' && next.text.trim() !== ''
    if (next.text.trim()) markStep('look', 'done')
    run({ ...next, isExact: false, ...(isNew && { sortBy: 'relevance' }) })
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    runText(draft)
  }

  function sort(value: string) {
    run({ ...draft, sortBy: searchSortKeys.find((key) => key === value) ?? emptySearch.sortBy })
  }

  function clear() {
    run({ ...emptySearch, text: draft.text, sortBy: 'relevance' })
  }

  /** Escape restores the field to the displayed search. Browsers would empty it. */
  function restoreField(event: KeyboardEvent<HTMLFormElement>) {
    const { target } = event
    if (event.key !== 'Escape' || !(target instanceof HTMLInputElement) || target.ariaExpanded === 'true') return
    event.preventDefault()
    const name = searchNames.find((each) => each === target.name)
    if (name !== undefined) setDraft({ ...draft, [name]: search[name] })
  }

  const filterCount = activeFilters(search).length
  return (
    <search aria-labelledby={headingId} className="search-bar">
      <form ref={form} onSubmit={submit} onKeyDown={restoreField}>
        <fieldset disabled={isSearching} className="search-bar-frame">
          <h2 id={headingId} className="search-bar-heading">
            {heading}
          </h2>
          <div className="search-bar-line">
            <SearchBox
              label={boxLabel}
              hint={boxHint}
              value={draft.text}
              onValueChange={(text) => setDraft({ ...draft, text })}
              onChoose={(text) => runText({ ...draft, text })}
            />
            <Button type="submit" icon="search" busy={isSearching}>
              Search
            </Button>
          </div>
          <Link
            to={{ search: '' }}
            className="link search-bar-clear"
            aria-disabled={isSearching || undefined}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return
              event.preventDefault()
              if (!isSearching) clear()
            }}
          >
            Clear filters
          </Link>
          <button
            type="button"
            className="search-bar-toggle"
            aria-expanded={isUnfolded}
            aria-controls={filtersId}
            onClick={() => setUnfolded(!isUnfolded)}
          >
            Filters
            {filterCount > 0 && (
              <span className="badge">
                {filterCount}
                <span className="visually-hidden"> active</span>
              </span>
            )}
            <Icon name="chevron-down" />
          </button>
          <div id={filtersId} className={classNames('search-bar-fields', !isUnfolded && 'search-bar-fields-folded')}>
            {filterNames.map((name) => {
              const { label, choices, isCode } = filters[name]
              const field = { label, name, className: `search-bar-${name}`, value: draft[name] }
              const change = (value: string) => setDraft({ ...draft, [name]: value })
              return choices ? (
                <ChoiceField key={name} {...field} choices={choices.of} blank={choices.any} onValueChange={change} />
              ) : (
                <TextField
                  key={name}
                  {...field}
                  {...(name === 'title' && { type: 'search', enterKeyHint: 'search' })}
                  {...(isCode && { autoCapitalize: 'characters', spellCheck: false })}
                  autoComplete="off"
                  onChange={(event) => change(event.target.value)}
                />
              )
            })}
            <SelectField
              label="Sort by"
              className="search-bar-sort"
              options={sortOptions(search.text === '' ? sortKeys : searchSortKeys)}
              value={draft.sortBy}
              onChange={(event) => sort(event.target.value)}
            />
          </div>
        </fieldset>
      </form>
    </search>
  )
}

/** Returns the new search. If a filter was removed, what was typed into other fields but not sent stays. */
function keepTyped(draft: NoteSearch, before: NoteSearch, search: NoteSearch): NoteSearch {
  const [changed, ...others] = searchNames.filter((name) => search[name] !== before[name])
  const isRemoval = changed !== undefined && search[changed] === '' && others.length === 0
  const typed = searchNames.filter((name) => isRemoval && draft[name] !== before[name])
  return { ...search, ...Object.fromEntries(typed.map((name) => [name, draft[name]])) }
}

/**
 * Restores the focus that an input loses when it is disabled during a search. Not on a phone, where the results replace
 * the form and its keyboard would open again.
 */
function useRestoreFocus(form: { current: HTMLFormElement | null }, isDisabled: boolean): void {
  const last = useRef<HTMLElement | null>(null)
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      last.current = target instanceof HTMLElement && form.current?.contains(target) ? target : null
    }
    document.addEventListener('focusin', remember)
    return () => document.removeEventListener('focusin', remember)
  }, [form])
  useEffect(() => {
    if (!isDisabled) return
    const focused = last.current
    return () => {
      const isLost = document.activeElement === document.body || document.activeElement === null
      last.current = null
      if (isLost && !isMobile()) focused?.focus({ preventScroll: true })
    }
  }, [isDisabled])
}
