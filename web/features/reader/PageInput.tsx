import { useState } from 'react'
import './page-input.css'
import { printedLabel } from './printed-label.ts'
import { type ReaderDocument, updateView, useDocumentState } from './use-document.ts'

/** Shows the current page number and accepts another one. */
export function PageInput({ reader }: { reader: ReaderDocument }) {
  const page = useDocumentState(reader, (state) => state.page)
  const pageCount = useDocumentState(reader, (state) => state.pageCount)
  const label = useDocumentState(reader, (state) => printedLabel(state.pageLabels, state.page))
  const [typed, setTyped] = useState<string | null>(null)

  function go() {
    const wanted = Number(typed)
    if (typed !== null && Number.isInteger(wanted) && wanted > 0) {
      updateView(reader, (view) => {
        view.currentPageNumber = Math.min(wanted, pageCount)
      })
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
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || typed === null) return
          event.preventDefault()
          setTyped(null)
        }}
        onBlur={go}
      />
      <span className="page-field-count">of {pageCount || '–'}</span>
      {label !== null && <span className="page-field-label">labelled {label}</span>}
    </form>
  )
}
