import { Tabs } from '@base-ui/react/tabs'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { PDFDocumentProxy } from 'pdfjs-dist'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import type { Note } from '../../../packages/contract/notes.ts'
import { Button, IconButton } from '../../platform/ui/Button.tsx'
import { Stack, Text } from '../../platform/ui/layout.tsx'
import { AuthorName } from '../notes/card/NoteCard.tsx'
import { formatBytes, formatMoment } from '../notes/format.ts'
import { factsOf } from '../notes/properties.ts'
import { RatingButtons } from '../notes/rating/RatingButtons.tsx'
import { type PanelTab, panelTabs } from './use-address.ts'
import { type ReaderDocument, setView, useDocumentState } from './use-document.ts'
import { printedLabel } from './viewer/document-store.ts'
import { drawPage } from './viewer/draw-page.ts'
import './reader-sidebar.css'

/** Limits the list, because a phone renders more matches too slowly. */
const maxShown = 300

/** Lists all matches with context. Text from files is rendered as plain text only. */
function Matches({ reader, onGo }: { reader: ReaderDocument; onGo: () => void }) {
  const { text, total, isComplete } = useDocumentState(reader, (state) => state.find)
  const isReady = useDocumentState(reader, (state) => state.opening.kind === 'ready')
  const find = reader.opened.current?.find
  const matches = text === '' ? [] : (find?.list(maxShown) ?? [])
  if (!isReady) return null
  if (matches.length === 0) {
    const said = text === '' ? 'Search this note to list its matches.' : isComplete ? 'No matches' : 'Searching…'
    return <p className="text-soft reader-sidebar-empty">{said}</p>
  }
  return (
    <>
      <ol className="matches" aria-label="Matches">
        {matches.map((match) => (
          <li key={`${match.page} ${match.at}`}>
            <button
              type="button"
              className="menu-item matches-match"
              aria-current={match.isCurrent || undefined}
              onClick={() => {
                find?.goTo(match)
                onGo()
              }}
            >
              <span className="text-soft text-count matches-page">Page {match.page}</span>
              <span dir="auto" className="text text-medium matches-text">
                …{match.before}
                <mark>{match.text}</mark>
                {match.after}…
              </span>
            </button>
          </li>
        ))}
      </ol>
      {total > maxShown && <p className="text-soft reader-sidebar-empty">Showing the first {maxShown} matches.</p>}
    </>
  )
}

type ReaderSidebarProps = NoteDetailsProps & {
  reader: ReaderDocument
  tab: PanelTab
  /** The drawer was opened with the keyboard and takes the focus. */
  takesFocus: boolean
  onChoose: (tab: PanelTab) => void
  onClose: () => void
}

const labels: Record<PanelTab, string> = {
  pages: 'Pages',
  contents: 'Contents',
  matches: 'Matches',
  details: 'Details',
}

/** The drawer with pages, table of contents, matches and note details. */
export function ReaderSidebar({ reader, tab, takesFocus, onChoose, onClose, ...details }: ReaderSidebarProps) {
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    if (takesFocus) panel.current?.querySelector<HTMLElement>('[role="tab"]')?.focus()
  }, [takesFocus])
  const { container } = reader
  useLayoutEffect(() => {
    const element = panel.current
    return () => {
      if (element?.contains(document.activeElement)) container.current?.focus({ preventScroll: true })
    }
  }, [container])
  // On wide screens the drawer stays open beside the pages.
  const closeIfInTheWay = () => window.matchMedia('(width < 48rem)').matches && onClose()
  return (
    <aside ref={panel} className="reader-sidebar" aria-label="Pages, contents and details">
      <Tabs.Root value={tab} onValueChange={onChoose} className="reader-sidebar-tabs">
        <div className="reader-sidebar-head">
          <Tabs.List className="reader-sidebar-list">
            {panelTabs.map((each) => (
              <Tabs.Tab key={each} value={each} className="text-soft text-strong reader-sidebar-tab">
                {labels[each]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <IconButton icon="x" label="Close sidebar" onClick={onClose} />
        </div>
        <Tabs.Panel value="pages" className="reader-sidebar-content">
          <PageThumbnails reader={reader} onGo={closeIfInTheWay} />
        </Tabs.Panel>
        <Tabs.Panel value="contents" className="reader-sidebar-content">
          <TableOfContents reader={reader} onGo={closeIfInTheWay} />
        </Tabs.Panel>
        <Tabs.Panel value="matches" className="reader-sidebar-content">
          <Matches reader={reader} onGo={closeIfInTheWay} />
        </Tabs.Panel>
        <Tabs.Panel value="details" className="reader-sidebar-content">
          <NoteDetails {...details} />
        </Tabs.Panel>
      </Tabs.Root>
    </aside>
  )
}

/** The file's own outline. Titles are rendered as plain text, and entries link only within the file. */
function TableOfContents({ reader, onGo }: { reader: ReaderDocument; onGo: () => void }) {
  const document = useDocumentState(reader, (state) => state.document)
  const page = useDocumentState(reader, (state) => state.page)
  const { data: entries, isPending } = useQuery({
    queryKey: ['contents', document?.loadingTask.docId],
    queryFn: async () => (await document?.getOutline()) ?? [],
    enabled: document !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const { data: section = null } = useQuery({
    queryKey: ['section', document?.loadingTask.docId, page],
    queryFn: () => findSection(document as PDFDocumentProxy, entries ?? [], page),
    enabled: document !== null && entries !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  const list = useRef<HTMLElement>(null)
  const isFound = section !== null
  // Opens at the current section and then keeps its scroll position.
  useEffect(() => {
    if (isFound) list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' })
  }, [isFound])
  if (isPending) return null
  if (!entries?.length) return <p className="text-soft reader-sidebar-empty">This file has no table of contents.</p>
  const go = (destination: Entry['dest']) => {
    if (destination !== null) reader.opened.current?.goTo(destination)
    onGo()
  }
  return (
    <nav ref={list} aria-label="Contents" className="table-of-contents">
      <Entries entries={entries} section={section} onGo={go} />
    </nav>
  )
}

type EntriesProps = { entries: Entry[]; section: Entry | null; onGo: (destination: Entry['dest']) => void }

const Entries = ({ entries, section, onGo }: EntriesProps) => (
  <ul className="table-of-contents-list">
    {entries.map((entry, at) => (
      <li key={at}>
        {entry.dest === null ? (
          <span dir="auto" className="table-of-contents-entry">
            {entry.title}
          </span>
        ) : (
          <button
            type="button"
            dir="auto"
            className="menu-item table-of-contents-entry"
            aria-current={entry === section || undefined}
            onClick={() => onGo(entry.dest)}
          >
            {entry.title}
          </button>
        )}
        {entry.items.length > 0 && <Entries entries={entry.items} section={section} onGo={onGo} />}
      </li>
    ))}
  </ul>
)

type Entry = Awaited<ReturnType<PDFDocumentProxy['getOutline']>>[number]

/** Limits the search, because each page on the way has to be loaded. */
const maxPagesBack = 60

/** The section of a page: the first that begins on it, or else the last before it. Null if there is none. */
async function findSection(document: PDFDocumentProxy, entries: Entry[], page: number): Promise<Entry | null> {
  const places = await placesOf(document, flatten(entries))
  if (places.length === 0) return null
  for (let number = page; number > Math.max(0, page - maxPagesBack); number--) {
    const { ref } = await document.getPage(number)
    const here = places.filter(({ target }) =>
      typeof target === 'number' ? target === number - 1 : isSame(target, ref),
    )
    const found = number === page ? here[0] : here.at(-1)
    if (found) return found.entry
  }
  return null
}

const flatten = (entries: Entry[]): Entry[] => entries.flatMap((entry) => [entry, ...flatten(entry.items)])

type Reference = { num: number; gen: number }
const isSame = (one: Reference, other: Reference | null) => one.num === other?.num && one.gen === other.gen

/** The target pages of the entries: an object reference, or an index from 0. */
async function placesOf(document: PDFDocumentProxy, entries: Entry[]) {
  const isNamed = entries.some(({ dest }) => typeof dest === 'string')
  const named = isNamed ? await document.getDestinations() : new Map<string, unknown[]>()
  return entries.flatMap((entry) => {
    const destination = typeof entry.dest === 'string' ? named.get(entry.dest) : entry.dest
    const target: unknown = destination?.[0]
    const isPage = typeof target === 'number' || (typeof target === 'object' && target !== null && 'num' in target)
    return isPage ? [{ entry, target: target as number | Reference }] : []
  })
}

/** All pages as thumbnails. Only those near the viewport stay in memory, because each takes a third of a megabyte. */
function PageThumbnails({ reader, onGo }: { reader: ReaderDocument; onGo: () => void }) {
  const document = useDocumentState(reader, (state) => state.document)
  const pageCount = useDocumentState(reader, (state) => state.pageCount)
  const current = useDocumentState(reader, (state) => state.page)
  const labels = useDocumentState(reader, (state) => state.pageLabels)
  const list = useRef<HTMLOListElement>(null)
  const isShown = document !== null

  // The drawer opens at the current page.
  useEffect(() => {
    if (isShown) list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' })
  }, [isShown])

  if (document === null) return null
  const go = (page: number) => {
    setView(reader, { currentPageNumber: page })
    onGo()
  }
  return (
    <ol ref={list} className="page-thumbnails">
      {Array.from({ length: pageCount }, (_, at) => at + 1).map((page) => {
        const label = printedLabel(labels, page)
        const printed = label === null ? '' : `, labelled ${label}`
        return (
          <li key={page}>
            <button
              type="button"
              className="menu-item text-small text-count page-thumbnails-page"
              aria-current={page === current ? 'page' : undefined}
              aria-label={`Page ${page}${printed}`}
              onClick={() => go(page)}
            >
              <Thumbnail document={document} page={page} />
              <span aria-hidden="true">
                {page}
                {printed}
              </span>
            </button>
          </li>
        )
      })}
    </ol>
  )
}

const widthPx = 120

function Thumbnail({ document, page }: { document: PDFDocumentProxy; page: number }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const element = canvas.current
    if (element === null) return
    let aborter = new AbortController()
    const observer = new IntersectionObserver(
      (entries) => {
        aborter.abort()
        // Frees the canvas memory; the layout keeps its size.
        if (!entries.at(-1)?.isIntersecting) element.width = element.height = 0
        else {
          aborter = new AbortController()
          // A page that cannot be drawn stays blank.
          drawPage(document, page, element, widthPx, aborter.signal).catch(() => {})
        }
      },
      { rootMargin: '200px' },
    )
    observer.observe(element)
    return () => {
      observer.disconnect()
      aborter.abort()
    }
  }, [document, page])
  return <canvas ref={canvas} className="page-thumbnails-canvas" />
}

type NoteDetailsProps = { note: Note; isOwn: boolean; onEdit: (() => void) | undefined }

function NoteDetails({ note, isOwn, onEdit }: NoteDetailsProps) {
  const { pageCount, bytes } = note.document
  const facts: [name: string, text: ReactNode][] = [
    ...factsOf(note).map(({ label, text }): [string, string] => [label, text ?? '-']),
    ['Author', <AuthorName note={note} isOwn={isOwn} className="link" />],
    ['Uploaded', formatMoment(note.createdAt)],
    [
      'File',
      [pageCount && `${pageCount} ${pageCount === 1 ? 'page' : 'pages'}`, formatBytes(bytes)]
        .filter(Boolean)
        .join(', '),
    ],
  ]
  return (
    <Stack align="flex-start" className="note-details">
      <h2 dir="auto" className="text">
        {note.title}
      </h2>
      {isOwn && note.isAnonymous && <Text tone="soft">Anonymous</Text>}
      <Stack as="dl" gap={0.625}>
        {facts.map(([name, text]) => (
          <div key={name}>
            <Text as="dt" tone="faint" size="small">
              {name}
            </Text>
            <Text as="dd">{text}</Text>
          </div>
        ))}
      </Stack>
      <div className="note-details-rating">
        <RatingButtons note={note} isOwn={isOwn} />
      </div>
      {onEdit && (
        <Button icon="pencil" onClick={onEdit}>
          Edit Note
        </Button>
      )}
    </Stack>
  )
}
