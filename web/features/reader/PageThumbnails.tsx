import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useEffect, useRef } from 'react'
import { printedLabel } from './viewer/document-store.ts'
import { drawPage } from './viewer/draw-page.ts'
import './page-thumbnails.css'
import { type ReaderDocument, updateView, useDocumentState } from './use-document.ts'

/** All pages as thumbnails. Only those near the viewport stay in memory, because each takes a third of a megabyte. */
export function PageThumbnails({ reader, onGo }: { reader: ReaderDocument; onGo: () => void }) {
  const document = useDocumentState(reader, (state) => state.document)
  const pageCount = useDocumentState(reader, (state) => state.pageCount)
  const current = useDocumentState(reader, (state) => state.page)
  const labels = useDocumentState(reader, (state) => state.pageLabels)
  const list = useRef<HTMLOListElement>(null)

  // The drawer opens at the current page.
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' })
  }, [])

  if (document === null) return null
  const go = (page: number) => {
    updateView(reader, (view) => {
      view.currentPageNumber = page
    })
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
              className="menu-item page-thumbnails-page"
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
