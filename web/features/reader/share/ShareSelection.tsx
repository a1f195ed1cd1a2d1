import { useEffect, useState } from 'react'
import type { Note } from '../../../../packages/contract/notes.ts'
import * as paths from '../../../platform/paths.ts'
import type { ReaderDocument } from '../use-document.ts'
import { type Passage, readSelectedPassage } from './passage.ts'
import { ShareButton, useShareTargets } from './ShareButton.tsx'
import './share-selection.css'

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
