import type { PDFDocumentProxy } from 'pdfjs-dist'
import { createStore } from 'zustand/vanilla'
import { formatCount } from '../../notes/format.ts'

/** How a page fits the window; `null` for a percentage of the page's size. */
export type Fit = 'auto' | 'page-width' | 'page-fit'
export const fits: Fit[] = ['auto', 'page-width', 'page-fit']

export type DocumentLoadState =
  | { kind: 'opening' }
  | { kind: 'ready' }
  /** Needs a password; `wasWrong` if the last one was wrong. */
  | { kind: 'locked'; wasWrong: boolean; unlock: (password: string) => void; cancel: () => void }
  /** The file is damaged, or its password was not entered. */
  | { kind: 'unreadable'; isLocked: boolean }
  | { kind: 'failed'; failure: unknown }

export type FindState = {
  /** The text to find; empty for none. */
  text: string
  current: number
  total: number
  /** The next match is still being searched. */
  isPending: boolean
  /** All pages have been searched, so `total` is final. */
  isComplete: boolean
}

export type DocumentState = {
  opening: DocumentLoadState
  document: PDFDocumentProxy | null
  /** The first page has been drawn, so other parts may load now. */
  isPageDrawn: boolean
  page: number
  pageCount: number
  /** The printed labels in page order; null if the file defines none. */
  pageLabels: string[] | null
  scale: number
  fit: Fit | null
  find: FindState
  /** Why parts of the file are being retried; null while loading works. */
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
    find: noFind,
    stalled: null,
  }))
export type DocumentStore = ReturnType<typeof createDocumentStore>

/** The status text of the find bar. Until all pages are read, more matches may follow. */
export function describeFind({ text, current, total, isPending, isComplete }: FindState): string {
  if (text === '') return ''
  if (total > 0) return `${formatCount(current)} of ${formatCount(total)}${isComplete ? '' : ' so far'}`
  return isPending ? 'Searching…' : 'No matches'
}

/** The printed page label, or null if it equals the page number. */
export function printedLabel(labels: string[] | null, page: number): string | null {
  const label = labels?.[page - 1]?.trim()
  return label && label !== String(page) ? label : null
}
