import { type ReactNode, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Note } from '../../../packages/contract/notes.ts'
import * as paths from '../../platform/paths.ts'
import { ButtonLink, IconButton } from '../../platform/ui/Button.tsx'
import { RatingButtons } from '../notes/rating/RatingButtons.tsx'
import { ShareButton, useShareTargets } from './share/ShareButton.tsx'
import type { PanelEntry } from './use-address.ts'
import { type ReaderDocument, setView, useDocumentState } from './use-document.ts'
import { type Fit, fits, printedLabel } from './viewer/document-store.ts'
import './reader-toolbar.css'

type ReaderToolbarProps = {
  note: Note
  isOwn: boolean
  reader: ReaderDocument
  /** The search that opened the reader. */
  search: string
  isPanelOpen: boolean
  onTogglePanel: () => void
  onFind: () => void
  menu: ReactNode
}

/** The toolbar. On a phone the buttons for reading are at the bottom. */
export function ReaderToolbar(props: ReaderToolbarProps) {
  const { note, isOwn, reader, isPanelOpen, search, onTogglePanel, onFind, menu } = props
  const places = useShareTargets(note, reader, search)
  return (
    <header className="reader-toolbar">
      <div className="reader-toolbar-title">
        <BackLink search={search} />
        <div className="reader-toolbar-note">
          <h1 title={note.title} dir="auto" className="text-cut text-large">
            {note.title}
          </h1>
          <p className="text-cut text-soft text-small text-strong">
            {note.hidden ? `${note.courseCode} · hidden` : note.courseCode}
          </p>
        </div>
      </div>
      <div className="reader-toolbar-tools">
        <IconButton
          icon="panel-left"
          label="Pages, contents and details"
          aria-expanded={isPanelOpen}
          onClick={onTogglePanel}
        />
        <PageInput reader={reader} />
        <ZoomControl reader={reader} />
        <IconButton icon="search" label="Find in this note" onClick={onFind} />
        {!isOwn && !note.hidden && (
          <div className="reader-toolbar-rating">
            <RatingButtons note={note} isOwn={false} />
          </div>
        )}
      </div>
      <div className="reader-toolbar-end">
        <ShareButton
          {...{ note, isOwn, places }}
          variant="ghost"
          size="square"
          icon="share-2"
          aria-label="Share"
          title="Share"
        />
        {menu}
      </div>
    </header>
  )
}

/** Goes back in the history; opens the search results or Browse if the reader was opened by its address. */
function BackLink({ search }: { search: string }) {
  const navigate = useNavigate()
  const { state } = useLocation()
  // The open drawer has its own history entry.
  const steps = (state as PanelEntry)?.isOfPanel ? 2 : 1
  return (
    <ButtonLink
      to={paths.browse(search && new URLSearchParams({ q: search }).toString())}
      variant="ghost"
      size="square"
      icon="arrow-left"
      aria-label="Back"
      title="Back"
      onClick={(event) => {
        const cameFromHere = Number(window.history.state?.idx) >= steps
        if (!cameFromHere || event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        void navigate(-steps)
      }}
    />
  )
}

function PageInput({ reader }: { reader: ReaderDocument }) {
  const page = useDocumentState(reader, (state) => state.page)
  const pageCount = useDocumentState(reader, (state) => state.pageCount)
  const label = useDocumentState(reader, (state) => printedLabel(state.pageLabels, state.page))
  const [typed, setTyped] = useState<string | null>(null)

  function go() {
    const wanted = Number(typed)
    if (typed !== null && Number.isInteger(wanted) && wanted > 0) {
      setView(reader, { currentPageNumber: Math.min(wanted, pageCount) })
    }
    setTyped(null)
  }

  return (
    <form
      className="text-count page-input"
      onSubmit={(event) => {
        event.preventDefault()
        go()
        reader.container.current?.focus({ preventScroll: true })
      }}
    >
      <input
        aria-label="Page"
        className="page-input-input"
        inputMode="numeric"
        autoComplete="off"
        size={Math.max(2, String(pageCount).length)}
        disabled={pageCount === 0}
        value={typed ?? page}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || typed === null) return
          event.preventDefault()
          setTyped(null)
        }}
        onBlur={go}
      />
      <span className="text-soft">of {pageCount || '–'}</span>
      {label !== null && <span className="text-cut text-soft text-small page-input-label">labelled {label}</span>}
    </form>
  )
}

const fitLabels: Record<Fit, string> = { auto: 'Automatic', 'page-width': 'Fit width', 'page-fit': 'Fit page' }
const scales = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4]
const percent = (scale: number) => `${Math.round(scale * 100)}%`

function ZoomControl({ reader }: { reader: ReaderDocument }) {
  const scale = useDocumentState(reader, (state) => state.scale)
  const fit = useDocumentState(reader, (state) => state.fit)
  const isReady = useDocumentState(reader, (state) => state.opening.kind === 'ready')
  const view = () => reader.opened.current?.view
  const isListed = fit !== null || scales.includes(scale)
  return (
    <div className="zoom-control">
      <IconButton icon="minus" label="Zoom out" disabled={!isReady} onClick={() => view()?.decreaseScale()} />
      <select
        aria-label="Zoom"
        className="zoom-control-select"
        disabled={!isReady}
        value={fit ?? scale}
        onChange={(event) => setView(reader, { currentScaleValue: event.target.value })}
      >
        {!isListed && <option value={scale}>{percent(scale)}</option>}
        {fits.map((each) => (
          <option key={each} value={each}>
            {fitLabels[each]}
          </option>
        ))}
        {scales.map((each) => (
          <option key={each} value={each}>
            {percent(each)}
          </option>
        ))}
      </select>
      <IconButton icon="plus" label="Zoom in" disabled={!isReady} onClick={() => view()?.increaseScale()} />
    </div>
  )
}
