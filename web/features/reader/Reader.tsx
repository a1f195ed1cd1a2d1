import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import type { Note } from '../../../packages/contract/notes.ts'
import { listRelatedNotes } from '../../../packages/contract/search.endpoints.ts'
import { api } from '../../platform/api/client.ts'
import { lazyPart } from '../../platform/layout/chunk-reload.ts'
import * as paths from '../../platform/paths.ts'
import { useSession } from '../../platform/session/store.ts'
import { Row, Stack } from '../../platform/ui/layout.tsx'
import { useDialog } from '../../platform/ui/use-dialog.ts'
import { currentMoment, upsertNotes } from '../notes/cache/note-cache.ts'
import { CardGrid } from '../notes/card/CardGrid.tsx'
import { useNoteDialogs } from '../notes/dialogs/use-note-dialogs.tsx'
import { addToRecentlyViewed } from '../notes/open-file/recently-viewed.ts'
import { RatingButtons } from '../notes/rating/RatingButtons.tsx'
import { isDeleted } from '../notes/write-note.ts'
import { FindBar } from './FindBar.tsx'
import { PrintDialog } from './PrintDialog.tsx'
import { darkPages } from './preferences.ts'
import { ReaderMenu } from './ReaderMenu.tsx'
import { ReaderSidebar } from './ReaderSidebar.tsx'
import { ReaderStatus } from './ReaderStatus.tsx'
import { ReaderToolbar } from './ReaderToolbar.tsx'
import { ShortcutsDialog, useReaderKeys } from './ShortcutsDialog.tsx'
import { ShareSelection } from './share/ShareButton.tsx'
import { useAddress, usePanel } from './use-address.ts'
import { useDocument, useDocumentState } from './use-document.ts'
import { useReadingPosition } from './use-reading-position.ts'
import { parseSearch } from './viewer/search-words.ts'
import './reader.css'

const ReportDialog = lazyPart(() => import('../moderation/report/ReportDialog.tsx').then((part) => part.ReportDialog))

type ReaderProps = {
  note: Note
  /** The page where the student stopped last; `firstPage` is the one to open now. */
  savedPage: number
  firstPage: number
  /** A library search whose hits are highlighted. */
  search: string
  /** A shared passage, which is highlighted literally. */
  quote: string
}

export function Reader({ note, savedPage, firstPage, search, quote }: ReaderProps) {
  const isModerator = useSession((state) => state.user?.role !== undefined)
  const navigate = useNavigate()
  const isOwn = useSession((state) => state.user !== null && state.user._id === note.user?._id)
  const reader = useDocument(note, firstPage)
  const { container, pages } = reader
  const opening = useDocumentState(reader, (state) => state.opening)
  const pdf = useDocumentState(reader, (state) => state.document)
  const isPageDrawn = useDocumentState(reader, (state) => state.isPageDrawn)
  const stalled = useDocumentState(reader, (state) => state.stalled)
  const panel = usePanel()
  const hasSearch = search !== '' || quote !== ''
  const [isFinding, setIsFinding] = useState(hasSearch)
  const [isFromSearch, setIsFromSearch] = useState(hasSearch)
  const [isPrinting, setIsPrinting] = useState(false)
  const [areKeysShown, setAreKeysShown] = useState(false)
  const hasDarkPages = darkPages.use() === 'true'
  const findInput = useRef<HTMLInputElement>(null)
  // The dialogs wait for the first page, which can take seconds on a slow connection.
  const { actions, dialog } = useNoteDialogs(isPageDrawn && isOwn)
  const [report, showReport] = useDialog<{ note: Note }>()
  useReadingPosition(note._id, reader.store, savedPage)
  useAddress(note._id, reader.store, search)
  useEffect(() => {
    if (isPageDrawn) void addToRecentlyViewed(note._id)
  }, [isPageDrawn, note._id])

  const isReady = opening.kind === 'ready'

  // The author deleted the note meanwhile: the loader then shows `NoteNotFound`.
  const { revalidate } = useRevalidator()
  const hasGone = opening.kind === 'failed' && isDeleted(opening.failure)
  useEffect(() => {
    if (hasGone) void revalidate()
  }, [hasGone, revalidate])

  const find = () => {
    setIsFinding(true)
    setIsFromSearch(false)
    findInput.current?.select()
  }
  const closeFind = () => {
    setIsFinding(false)
    reader.opened.current?.find.stop()
    reader.container.current?.focus({ preventScroll: true })
  }
  const togglePanel = (takesFocus: boolean) => (panel.tab === null ? panel.open('pages', takesFocus) : panel.close())
  const edit = isOwn ? () => actions.edit(note) : undefined

  useReaderKeys(reader, {
    find,
    togglePanel: () => togglePanel(true),
    showKeys: () => setAreKeysShown(true),
    close: () => (isFinding ? closeFind() : panel.tab && panel.close()),
  })

  return (
    <div className="reader" data-dark-pages={hasDarkPages || undefined}>
      <ReaderToolbar
        note={note}
        isOwn={isOwn}
        reader={reader}
        search={search}
        isPanelOpen={panel.tab !== null}
        onTogglePanel={() => togglePanel(false)}
        onFind={() => (isFinding ? closeFind() : find())}
        menu={
          <ReaderMenu
            note={note}
            reader={reader}
            onPrint={() => setIsPrinting(true)}
            onShowKeys={() => setAreKeysShown(true)}
            onEdit={edit}
            onReport={isOwn || note.hidden ? undefined : () => showReport({ note })}
            onModerate={isModerator && !isOwn ? () => void navigate(paths.moderation(note._id)) : undefined}
          />
        }
      />
      {isFinding && (
        <FindBar
          key={quote || search}
          reader={reader}
          search={quote || search}
          words={quote === '' ? parseSearch(search) : []}
          isFromSearch={isFromSearch}
          inputRef={findInput}
          onList={() => (panel.tab === null ? panel.open('matches', true) : panel.choose('matches'))}
          onClose={closeFind}
        />
      )}
      <div className="reader-body">
        {panel.tab && (
          <ReaderSidebar
            {...{ note, isOwn, reader }}
            tab={panel.tab}
            takesFocus={panel.takesFocus}
            onChoose={panel.choose}
            onClose={panel.close}
            onEdit={edit}
          />
        )}
        <div className="reader-viewport">
          {/* biome-ignore lint/a11y/useSemanticElements: pdf.js takes a <div> alone */}
          <div
            ref={container}
            role="region"
            className="reader-container"
            aria-label="Pages"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled with the keyboard
            tabIndex={0}
          >
            <div ref={pages} className="reader-pages" />
            {isPageDrawn && <NoteEnd note={note} isOwn={isOwn} />}
          </div>
          <ShareSelection {...{ note, isOwn, reader, search }} />
          <p role="status" className="reader-notice">
            {stalled}
          </p>
          {!isReady && <ReaderStatus note={note} state={opening} onRetry={reader.reopen} />}
        </div>
      </div>
      {isPrinting && pdf && <PrintDialog document={pdf} onDone={() => setIsPrinting(false)} />}
      <ShortcutsDialog open={areKeysShown} onClose={() => setAreKeysShown(false)} />
      {report && <ReportDialog {...report} />}
      {dialog}
    </div>
  )
}

/** Shown below the last page: rating and related notes. Own and hidden notes cannot be rated. */
const NoteEnd = ({ note, isOwn }: { note: Note; isOwn: boolean }) => (
  <>
    {!isOwn && !note.hidden && (
      <Stack as="section" gap={0.75} align="center" className="note-end" aria-labelledby="note-end-title">
        <h2 id="note-end-title">Did this help?</h2>
        <Row align="stretch" className="note-end-rating">
          <RatingButtons note={note} isOwn={false} />
        </Row>
      </Stack>
    )}
    <RelatedNotes noteId={note._id} />
  </>
)

/** Suggestions below the last page. Renders nothing if there are none or they cannot be loaded. */
function RelatedNotes({ noteId }: { noteId: string }) {
  const { data = [] } = useQuery({
    queryKey: ['related', noteId],
    queryFn: async ({ signal }) => {
      const askedAt = currentMoment()
      const { notes } = await api.call(listRelatedNotes, { params: { id: noteId }, signal })
      return upsertNotes(notes, askedAt)
    },
  })
  if (data.length === 0) return null
  return (
    <section className="related-notes" aria-labelledby="related-notes-title">
      <h2 id="related-notes-title">Related notes</h2>
      <CardGrid noteIds={data} />
    </section>
  )
}
