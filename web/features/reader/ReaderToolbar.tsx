import { useNavigate } from 'react-router'
import type { Note } from '../../../packages/contract/notes.ts'
import * as paths from '../../platform/paths.ts'
import { Button, ButtonLink } from '../../platform/ui/Button.tsx'
import { Icon } from '../../platform/ui/Icon.tsx'
import { RatingButtons } from '../notes/rating/RatingButtons.tsx'
import { PageInput } from './PageInput.tsx'
import { ReaderMenu } from './ReaderMenu.tsx'
import { ShareButton, useShareTargets } from './share/ShareButton.tsx'
import './reader-toolbar.css'
import type { ReaderDocument } from './use-document.ts'
import { ZoomControl } from './ZoomControl.tsx'

type ReaderToolbarProps = {
  note: Note
  isOwn: boolean
  reader: ReaderDocument
  /** The search that opened the reader. */
  search: string
  isPanelOpen: boolean
  hasDarkPages: boolean
  onTogglePanel: () => void
  onFind: () => void
  onToggleDarkPages: () => void
  onPrint: () => void
  onShowKeys: () => void
  onEdit: (() => void) | undefined
  onReport: (() => void) | undefined
  onModerate: (() => void) | undefined
}

/** The toolbar. On a phone the buttons for reading are at the bottom. */
export function ReaderToolbar(props: ReaderToolbarProps) {
  const { note, isOwn, reader, isPanelOpen, search, onTogglePanel, onFind } = props
  return (
    <header className="reader-toolbar">
      <div className="reader-toolbar-title">
        <BackLink search={search} />
        <div className="reader-toolbar-note">
          <h1 title={note.title}>{note.title}</h1>
          <p>{note.hidden ? `${note.courseCode} · hidden` : note.courseCode}</p>
        </div>
      </div>
      <div className="reader-toolbar-tools">
        <Button
          variant="ghost"
          size="square"
          icon={<Icon name="panel-left" />}
          aria-label="Pages, contents and details"
          aria-expanded={isPanelOpen}
          title="Pages, contents and details"
          onClick={onTogglePanel}
        />
        <PageInput reader={reader} />
        <ZoomControl reader={reader} />
        <Button
          variant="ghost"
          size="square"
          icon={<Icon name="search" />}
          aria-label="Find in this note"
          title="Find in this note"
          onClick={onFind}
        />
        {!isOwn && (
          <div className="reader-toolbar-rating">
            <RatingButtons note={note} isOwn={false} />
          </div>
        )}
      </div>
      <div className="reader-toolbar-end">
        <ShareNoteButton {...{ note, isOwn, reader, search }} />
        <ReaderMenu {...props} />
      </div>
    </header>
  )
}

/** Renders alone when the page or the search changes. */
function ShareNoteButton({
  note,
  isOwn,
  reader,
  search,
}: Pick<ReaderToolbarProps, 'note' | 'isOwn' | 'reader' | 'search'>) {
  const places = useShareTargets(note, reader, search)
  return (
    <ShareButton
      {...{ note, isOwn, places }}
      variant="ghost"
      size="square"
      icon={<Icon name="share-2" />}
      aria-label="Share"
      title="Share"
    />
  )
}

/** Goes back in the history; opens the search results or Browse if the reader was opened by its address. */
function BackLink({ search }: { search: string }) {
  const navigate = useNavigate()
  return (
    <ButtonLink
      to={paths.browse(search && new URLSearchParams({ q: search }).toString())}
      variant="ghost"
      size="square"
      icon={<Icon name="arrow-left" />}
      aria-label="Back"
      title="Back"
      onClick={(event) => {
        const cameFromHere = Number(window.history.state?.idx) > 0
        if (!cameFromHere || event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        void navigate(-1)
      }}
    />
  )
}
