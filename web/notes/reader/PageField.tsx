import { useState } from 'react'
import './page-field.css'
import { type ReaderDocument, useDocumentState } from './use-document.ts'

/** The page on display, to be read and to be typed, out of how many. */
export function PageField({ reader }: { reader: ReaderDocument }) {
  const page = useDocumentState(reader, (state) => state.page)
  const pageCount = useDocumentState(reader, (state) => state.pageCount)
  /** What is being typed. */
  const [typed, setTyped] = useState<string | null>(null)

  function go() {
    const wanted = Number(typed)
    const view = reader.opened.current?.view
    if (typed !== null && view && Number.isInteger(wanted) && wanted > 0) {
      view.currentPageNumber = Math.min(wanted, pageCount)
    }
    setTyped(null)
  }

  return (
    <form
      className="page-field"
      onSubmit={(event) => {
        event.preventDefault()
        go()
        reader.container.current?.focus({ preventScroll: true })
      }}
    >
      <input
        aria-label="Page"
        className="page-field-input"
        inputMode="numeric"
        autoComplete="off"
        size={Math.max(2, String(pageCount).length)}
        disabled={pageCount === 0}
        value={typed ?? page}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={go}
      />
      <span className="page-field-count">of {pageCount || '–'}</span>
    </form>
  )
}
