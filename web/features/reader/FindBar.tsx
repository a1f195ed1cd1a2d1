import { type RefObject, useEffect, useState } from 'react'
import { Button } from '../../platform/ui/Button.tsx'
import { Icon } from '../../platform/ui/Icon.tsx'
import { describeFind } from './describe-find.ts'
import './find-bar.css'
import { type ReaderDocument, useDocumentState } from './use-document.ts'

type FindBarProps = {
  reader: ReaderDocument
  /** The search that led here, whose words are marked already. */
  search: string
  inputRef: RefObject<HTMLInputElement | null>
  /** Shows all matches. */
  onList: () => void
  onClose: () => void
}

/** Finds what is typed as it stands; Enter and Shift+Enter lead from match to match. */
export function FindBar({ reader, search, inputRef, onList, onClose }: FindBarProps) {
  const found = useDocumentState(reader, (state) => state.find)
  // It is there before the pages where one comes from a search, which one has come to read; later it is to be typed into.
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
      {/* Busy while it counts, so that not every number is spoken. */}
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
