import { type RefObject, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { Note } from '../../../packages/contract/notes.ts'
import { createDocumentStore, type DocumentState, type DocumentStore } from './viewer/document-store.ts'
import { singleRequestMaxBytes } from './viewer/note-file.ts'
import { type OpenDocument, openDocument } from './viewer/open-document.ts'
import { preloadDocument } from './viewer/preload-document.ts'

export type ReaderDocument = {
  store: DocumentStore
  /** Null until the document is displayed. */
  opened: RefObject<OpenDocument | null>
  container: RefObject<HTMLDivElement | null>
  pages: RefObject<HTMLDivElement | null>
  /** Opens the file again at the current page. */
  reopen: () => void
}

export const useDocumentState = <T>({ store }: ReaderDocument, select: (state: DocumentState) => T): T =>
  useStore(store, select)

type ViewProperty = 'currentPageNumber' | 'currentScaleValue' | 'pagesRotation'

/** Changes the view, if the document is open. */
export function setView({ opened }: ReaderDocument, change: Partial<Pick<OpenDocument['view'], ViewProperty>>): void {
  if (opened.current) Object.assign(opened.current.view, change)
}

/** Opens a note's file when its container is mounted. @param firstPage the page to open. */
export function useDocument(note: Note, firstPage: number): ReaderDocument {
  const [store] = useState(createDocumentStore)
  const [turn, setTurn] = useState(0)
  const container = useRef<HTMLDivElement>(null)
  const pages = useRef<HTMLDivElement>(null)
  const opened = useRef<OpenDocument | null>(null)
  const start = useRef({ page: firstPage, bytes: note.document.bytes })

  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` opens it once more
  useEffect(() => {
    const beginning = preloadDocument(note._id, start.current.bytes)
    const isLarge = start.current.bytes > singleRequestMaxBytes
    if (isLarge && start.current.page === 1) beginning.prefetchNext()
    let isClosed = false
    const reopen = () => setTurn((before) => before + 1)
    store.setState(store.getInitialState())
    async function open() {
      const [modules, worker, first] = await Promise.all([beginning.modules, beginning.worker, beginning.first])
      if (isClosed || container.current === null || pages.current === null) return
      opened.current = openDocument(modules, {
        noteId: note._id,
        first,
        ahead: beginning.ahead,
        worker,
        container: container.current,
        pages: pages.current,
        store,
        page: start.current.page,
        onChanged: reopen,
      })
    }
    open().catch((failure: unknown) => isClosed || store.setState({ opening: { kind: 'failed', failure } }))
    return () => {
      isClosed = true
      const { page, opening, isPageDrawn } = store.getState()
      if (opening.kind === 'ready' || isPageDrawn) start.current.page = page
      opened.current?.close()
      opened.current = null
      beginning.end()
    }
  }, [note._id, store, turn])

  return { store, opened, container, pages, reopen: () => setTurn((before) => before + 1) }
}
