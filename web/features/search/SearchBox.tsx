import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { lazyPart } from '../../platform/layout/chunk-reload.ts'
import * as paths from '../../platform/paths.ts'
import { isMobile } from '../../platform/ui/browser.ts'
import { Icon } from '../../platform/ui/Icon.tsx'
import { markStep } from '../home/first-steps.ts'
import type { SuggestInputProps, SuggestionKind } from './SuggestInput.tsx'
import { searchBoxId } from './use-search-keys.ts'
import '../../platform/ui/fields.css'
import './search-box.css'

type SearchBoxProps = {
  /** The label of a box that does not search all notes. Such a box has no shortcut keys and no suggestions. */
  label?: string | undefined
  /** Describes the accepted terms, if there is space for it. */
  hint?: string
  value: string
  onValueChange: (value: string) => void
  onChoose: (value: string) => void
}

const allNotes = 'Search inside notes'
const kinds: SuggestionKind[] = ['courses', 'titles', 'instructors']
const none: SuggestionKind[] = []

export function SearchBox({ label = allNotes, hint, ...typed }: SearchBoxProps) {
  const isOfAll = label === allNotes
  const ownId = useId()
  return (
    <div className="search-box">
      <Input
        {...typed}
        kinds={isOfAll ? kinds : none}
        ask={isOfAll ? label : undefined}
        id={isOfAll ? searchBoxId : ownId}
        className="field-input"
        aria-label={label}
        name="text"
        placeholder={hint === undefined || isMobile() ? label : hint}
        type="search"
        enterKeyHint="search"
        autoComplete="off"
        aria-keyshortcuts={isOfAll ? '/ Control+K Meta+K' : undefined}
      />
      <Icon name="search" className="search-box-icon" />
    </div>
  )
}

/** Every page has the box, and its suggestions are too large for the first load. */
const Input = lazyPart(() => import('./SuggestInput.tsx').then((part) => part.SuggestInput), {
  isAskedFor: false,
  Meanwhile: PlainInput,
})

/** Accepts input until the suggestions are loaded, then passes the focus to the input that has them. */
function PlainInput({ kinds: _, ask: __, value, onValueChange, onChoose: ___, ...input }: SuggestInputProps) {
  const own = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    const element = own.current
    return () => {
      if (element === null || document.activeElement !== element) return
      const { id, selectionStart, selectionEnd } = element
      queueMicrotask(() => {
        const next = document.getElementById(id) as HTMLInputElement | null
        next?.focus({ preventScroll: true })
        next?.setSelectionRange(selectionStart, selectionEnd)
      })
    }
  }, [])
  return <input {...input} ref={own} value={value} onChange={(event) => onValueChange(event.target.value)} />
}

/** The accepted terms of the full-text search box. */
export const boxHint = 'Search titles, courses, instructors and text'

type SearchFormProps = {
  hint?: string
  /** Called after Escape, which empties the box. */
  onEscape?: () => void
}

/** The full-text search box on pages without a list. It opens Browse with the results. */
export function SearchForm({ hint, onEscape }: SearchFormProps) {
  const [text, setText] = useState('')
  const navigate = useNavigate()

  function search(wanted: string) {
    const q = wanted.trim()
    if (q) markStep('look', 'done')
    void navigate(paths.browse(q && new URLSearchParams({ q }).toString()))
  }

  function leave(event: KeyboardEvent) {
    const { key, target } = event
    if (key !== 'Escape' || !(target instanceof HTMLInputElement) || target.ariaExpanded === 'true') return
    event.preventDefault()
    setText('')
    onEscape?.()
  }

  return (
    <form
      className="search-form"
      onSubmit={(event) => {
        event.preventDefault()
        search(text)
      }}
      onKeyDown={leave}
    >
      <SearchBox {...(hint && { hint })} value={text} onValueChange={setText} onChoose={search} />
      {/* Covers the icon. Enter needs a submit button, because suggestions add a hidden input. */}
      <button type="submit" tabIndex={-1} aria-label="Search" className="search-form-submit" />
    </form>
  )
}
