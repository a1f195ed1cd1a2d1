import { type KeyboardEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import * as paths from '../../platform/paths.ts'
import { SearchBox } from './SearchBox.tsx'
import './search-form.css'

/** What the one box may hold. */
export const boxHint = 'words, “phrases”, courses, instructors'

type SearchFormProps = {
  hint?: string
  /** Esc was pressed, which empties the box. */
  onEscape?: () => void
}

/** The one box where there is no list to search: it leads to what Browse finds. */
export function SearchForm({ hint, onEscape }: SearchFormProps) {
  const [text, setText] = useState('')
  const navigate = useNavigate()

  function search(wanted: string) {
    const q = wanted.trim()
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
      {/* Over the icon. Without it Enter would do nothing: suggestions add an input that is not seen. */}
      <button type="submit" tabIndex={-1} aria-label="Search" className="search-form-submit" />
    </form>
  )
}
