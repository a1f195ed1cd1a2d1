import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useEffect, useRef } from 'react'
import './table-of-contents.css'
import { type ReaderDocument, useDocumentState } from './use-document.ts'
import { type Entry, findSection } from './viewer/find-section.ts'

type TableOfContentsProps = { reader: ReaderDocument; onGo: () => void }

/** The file's own outline. Titles are rendered as plain text, and entries link only within the file. */
export function TableOfContents({ reader, onGo }: TableOfContentsProps) {
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
  if (!entries?.length) return <p className="contents-empty">This file has no table of contents.</p>
  const go = (destination: Entry['dest']) => {
    if (destination !== null) reader.opened.current?.goTo(destination)
    onGo()
  }
  return (
    <nav ref={list} aria-label="Contents" className="contents">
      <Entries entries={entries} section={section} onGo={go} />
    </nav>
  )
}

type EntriesProps = { entries: Entry[]; section: Entry | null; onGo: (destination: Entry['dest']) => void }

function Entries({ entries, section, onGo }: EntriesProps) {
  return (
    <ul className="contents-list">
      {entries.map((entry, at) => (
        <li key={at}>
          {entry.dest === null ? (
            <span className="contents-entry">{entry.title}</span>
          ) : (
            <button
              type="button"
              className="contents-entry"
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
}
