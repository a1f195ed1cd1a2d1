import type { PDFDocumentProxy } from 'pdfjs-dist'
import { createStore } from 'zustand/vanilla'

/** How a page is fitted into the window; `null` for a percentage of its own. */
export type Fit = 'auto' | 'page-width' | 'page-fit'
export const fits: Fit[] = ['auto', 'page-width', 'page-fit']

/** How far opening a file has come, or why it ended. */
export type DocumentLoadState =
  | { kind: 'opening' }
  | { kind: 'ready' }
  /** Waits for a password; the last one may have been wrong. */
  | { kind: 'locked'; wasWrong: boolean; unlock: (password: string) => void; cancel: () => void }
  /** Nobody can show it: damaged, or a password that was not given. */
  | { kind: 'unreadable'; isLocked: boolean }
  | { kind: 'failed'; failure: unknown }

export type FindState = {
  /** What is looked for; empty for nothing. */
  text: string
  current: number
  total: number
  /** The next hit is still being looked for. */
  isPending: boolean
  /** All pages have been read: `total` stays as it is. */
  isComplete: boolean
}

/** What the reader's tools know of the document on display. */
export type DocumentState = {
  opening: DocumentLoadState
  document: PDFDocumentProxy | null
  /** One of its pages is there: what else the reader needs may come now. */
  isPageDrawn: boolean
  page: number
  pageCount: number
  /** What is printed on the pages instead of their numbers, in their order; null where the file says nothing else. */
  pageLabels: string[] | null
  scale: number
  fit: Fit | null
  rotation: number
  find: FindState
  /** Why parts of the file are asked for again and again; null while they come. */
  stalled: string | null
}

export const noFind: FindState = { text: '', current: 0, total: 0, isPending: false, isComplete: false }

export const createDocumentStore = () =>
  createStore<DocumentState>(() => ({
    opening: { kind: 'opening' },
    document: null,
    isPageDrawn: false,
    page: 1,
    pageCount: 0,
    pageLabels: null,
    scale: 1,
    fit: 'auto',
    rotation: 0,
    find: noFind,
    stalled: null,
  }))
export type DocumentStore = ReturnType<typeof createDocumentStore>
