import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { IconButton } from '../../platform/ui/Button.tsx'
import '../../platform/ui/fields.css'
import './find-bar.css'
import { type ReaderDocument, useDocumentState } from './use-document.ts'
import { describeFind } from './viewer/document-store.ts'
import type { SearchWord } from './viewer/search-words.ts'

type FindBarProps = {
  reader: ReaderDocument
  /** The library search or the passage that opened the reader. */
  search: string
  /** The words of that search; none for a passage. */
  words: SearchWord[]
  /** Whether the reader opened it, which leaves the focus to the pages. */
  isFromSearch: boolean
  inputRef: RefObject<HTMLInputElement | null>
  onList: () => void
  onClose: () => void
}

/**
 * Finds the words of the search that opened the reader, or the typed text literally. Enter and Shift+Enter move between
 * matches.
 */
export function FindBar({ reader, search, words, isFromSearch, inputRef, onList, onClose }: FindBarProps) {
  const found = useDocumentState(reader, (state) => state.find)
  const [text, setText] = useState(isFromSearch ? search : '')
  useEffect(() => {
    if (!isFromSearch) inputRef.current?.focus()
  }, [isFromSearch, inputRef])
  const find = () => reader.opened.current?.find
  const isReady = useDocumentState(reader, ({ opening }) => opening.kind === 'ready')
  const start = useEffectEvent(() => find()?.start(text, text === search ? words : []))
  // The text may have been typed before the file was there.
  useEffect(() => {
    if (isReady) start()
  }, [isReady])
  return (
    <search className="find-bar">
      <input
        ref={inputRef}
        className="field-input find-bar-input"
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
          if (event.key !== 'Enter' || event.nativeEvent.isComposing || text.trim() === '') return
          if (event.shiftKey) find()?.previous()
          else find()?.next()
        }}
      />
      {/* Busy while counting, so that screen readers do not read every number. */}
      <p
        role="status"
        aria-busy={found.total > 0 && !found.isComplete}
        className="text-soft text-small text-count find-bar-count"
      >
        {describeFind(found)}
      </p>
      <IconButton
        icon="chevron-up"
        label="Previous match"
        disabled={found.total === 0}
        onClick={() => find()?.previous()}
      />
      <IconButton icon="chevron-down" label="Next match" disabled={found.total === 0} onClick={() => find()?.next()} />
      <IconButton
        icon="rows-3"
        label="List of matches"
        className="find-bar-list"
        disabled={found.total === 0}
        onClick={onList}
      />
      <IconButton icon="x" label="Close search" onClick={onClose} />
    </search>
  )
}
