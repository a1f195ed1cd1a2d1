import { type RefObject, useEffect, useState } from 'react'
import { Button } from '../../platform/ui/Button.tsx'
import { Icon } from '../../platform/ui/Icon.tsx'
import { describeFind } from './describe-find.ts'
import './find-bar.css'
import { type ReaderDocument, useDocumentState } from './use-document.ts'

type FindBarProps = {
  reader: ReaderDocument
  /** The library search that opened the reader. Its words are highlighted already. */
  search: string
  inputRef: RefObject<HTMLInputElement | null>
  /** Shows all matches. */
  onList: () => void
  onClose: () => void
}

/** Finds the typed text literally; Enter and Shift+Enter move between matches. */
export function FindBar({ reader, search, inputRef, onList, onClose }: FindBarProps) {
  const found = useDocumentState(reader, (state) => state.find)
  // When opened by a search, the bar appears before the pages and leaves the focus to them; later it takes the focus.
  const [isFromSearch] = useState(() => reader.opened.current === null)
  const [text, setText] = useState(isFromSearch ? search : '')
  useEffect(() => {
    if (!isFromSearch) inputRef.current?.focus()
  }, [isFromSearch, inputRef])
  const find = () => reader.opened.current?.find
  return (
    <search className="find-bar">
      <input
        ref={inputRef}
        className="find-bar-input"
        aria-label="Find in this note"
        placeholder="Find in this note"
        value={text}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        onChange={(event) => {
          setText(event.target.value)
          find()?.start(event.target.value)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || text.trim() === '') return
          if (event.shiftKey) find()?.previous()
          else find()?.next()
        }}
      />
      {/* Busy while counting, so that screen readers do not read every number. */}
      <p role="status" aria-busy={found.total > 0 && !found.isComplete} className="find-bar-count">
        {describeFind(found)}
      </p>
      <Button
        variant="ghost"
        size="square"
        icon={<Icon name="chevron-up" />}
        aria-label="Previous match"
        disabled={found.total === 0}
        onClick={() => find()?.previous()}
      />
      <Button
        variant="ghost"
        size="square"
        icon={<Icon name="chevron-down" />}
        aria-label="Next match"
        disabled={found.total === 0}
        onClick={() => find()?.next()}
      />
      <Button
        variant="ghost"
        size="square"
        icon={<Icon name="rows-3" />}
        aria-label="List of matches"
        title="List of matches"
        className="find-bar-list"
        disabled={found.total === 0}
        onClick={onList}
      />
      <Button variant="ghost" size="square" icon={<Icon name="x" />} aria-label="Close search" onClick={onClose} />
    </search>
  )
}
