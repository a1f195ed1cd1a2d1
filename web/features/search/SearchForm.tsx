import { type KeyboardEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import * as paths from '../../platform/paths.ts'
import { markStep } from '../home/first-steps.ts'
import { SearchBox } from './SearchBox.tsx'
import './search-form.css'

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
    if (
      event.key !== 'Escape' ||
      event.target instanceof HTMLInputElement === false ||
      event.target.ariaExpanded === 'true'
    )
      return
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
