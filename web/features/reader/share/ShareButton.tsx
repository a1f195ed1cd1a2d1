import { type ComponentProps, useEffect, useRef, useState } from 'react'
import type { Note } from '../../../../packages/contract/notes.ts'
import * as paths from '../../../platform/paths.ts'
import { Button } from '../../../platform/ui/Button.tsx'
import { copyText } from '../../../platform/ui/browser.ts'
import { TextField } from '../../../platform/ui/fields.tsx'
import { Text } from '../../../platform/ui/layout.tsx'
import { toMark } from '../use-address.ts'
import { type ReaderDocument, useDocumentState } from '../use-document.ts'
import { type Passage, readSelectedPassage } from './passage.ts'
import './share-button.css'

export type Place = { name: string; path: string }

export function useShareTargets(note: Note, reader: ReaderDocument, search: string): Place[] {
  const page = useDocumentState(reader, (state) => state.page)
  const marked = useDocumentState(reader, (state) => state.find.text)
  const marks = {
    name: `page ${page} with “${marked}”`,
    path: paths.note(note._id, { page, ...toMark(marked, search) }),
  }
  return [
    { name: `page ${page}`, path: paths.note(note._id, { page }) },
    { name: 'the whole note', path: paths.note(note._id) },
    ...(marked === '' ? [] : [marks]),
  ]
}

/** Phones have a native share sheet. */
const hasSheet = () => 'share' in navigator && matchMedia('(pointer: coarse)').matches

type ShareButtonProps = ComponentProps<typeof Button> & { note: Note; isOwn: boolean; places: Place[] }

/**
 * Shares the first target immediately and offers the others in a native popover, which closes on Esc and an outside
 * click.
 */
export function ShareButton({ note, isOwn, places, ...button }: ShareButtonProps) {
  const popover = useRef<HTMLElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const [shared, setShared] = useState<(Place & { isCopied: boolean }) | null>(null)
  const verb = hasSheet() ? 'Share' : 'Copy link to'

  async function share(place: Place) {
    const url = location.origin + place.path
    popover.current?.togglePopover(true)
    setIsOpen(true)
    setShared(null)
    // A cancelled share is not an error.
    if (hasSheet()) return void navigator.share({ title: note.title, url }).catch(() => {})
    const isCopied = await copyText(url)
    setShared({ ...place, isCopied })
  }

  return (
    <>
      <Button {...button} onClick={() => places[0] && void share(places[0])} />
      <section
        ref={popover}
        popover="auto"
        aria-label="Share"
        className="popup share-button-popover"
        onToggle={(event) => setIsOpen(event.newState === 'open')}
      >
        <p role="status" className="text-strong share-button-said">
          {shared?.isCopied && `Link to ${shared.name} copied.`}
          {shared?.isCopied === false && 'Couldn’t copy automatically. Copy the link from here:'}
        </p>
        {shared?.isCopied === false && (
          <TextField
            label="Link"
            key={shared.path}
            ref={focus}
            readOnly
            value={location.origin + shared.path}
            onFocus={(event) => event.target.select()}
          />
        )}
        {(isOpen ? places : []).map((place, at) => (
          <Button
            key={at}
            icon={shared?.path === place.path && shared.isCopied ? 'check' : 'copy'}
            onClick={() => void share(place)}
          >
            {verb} {place.name}
          </Button>
        ))}
        {isOwn && note.isAnonymous && (
          <Text tone="soft" size="small">
            This note is anonymous. People you send the link to may guess that it’s yours.
          </Text>
        )}
        <Text tone="soft" size="small">
          People need to log in to open the link.
        </Text>
      </section>
    </>
  )
}

const focus = (input: HTMLInputElement | null) => input?.focus()

type ShareSelectionProps = { note: Note; isOwn: boolean; reader: ReaderDocument; search: string }

/** Shown below the pages while text is selected or being shared. */
export function ShareSelection({ note, isOwn, reader, search }: ShareSelectionProps) {
  const places = useShareTargets(note, reader, search)
  const [passage, setPassage] = useState<Passage | null>(null)
  useEffect(() => {
    const follow = () => {
      if (document.querySelector('.share-selection :popover-open')) return
      setPassage(reader.pages.current && readSelectedPassage(reader.pages.current))
    }
    document.addEventListener('selectionchange', follow)
    return () => document.removeEventListener('selectionchange', follow)
  }, [reader.pages])
  if (passage === null) return null
  const path = paths.note(note._id, { page: passage.page, quote: passage.text })
  return (
    <div className="share-selection">
      <ShareButton
        note={note}
        isOwn={isOwn}
        places={[{ name: 'the selected text', path }, ...places.slice(0, 2)]}
        variant="primary"
        size="small"
        icon="text-quote"
        // Otherwise the press would clear the selection and remove this button.
        onMouseDown={(event) => event.preventDefault()}
      >
        Share selection
      </ShareButton>
    </div>
  )
}
