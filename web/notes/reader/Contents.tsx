import { useQuery } from '@tanstack/react-query'
import type { PDFDocumentProxy } from 'pdfjs-dist'
import './contents.css'
import { type ReaderDocument, useDocumentState } from './use-document.ts'

type Entry = Awaited<ReturnType<PDFDocumentProxy['getOutline']>>[number]
type ContentsProps = { reader: ReaderDocument; onGo: () => void }

/** The table of contents that the file brings along. Its titles are shown as text, and lead into the file alone. */
export function Contents({ reader, onGo }: ContentsProps) {
  const document = useDocumentState(reader, (state) => state.document)
  const { data: entries, isPending } = useQuery({
    queryKey: ['contents', document?.loadingTask.docId],
    queryFn: async () => (await document?.getOutline()) ?? [],
    enabled: document !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (isPending) return null
  if (!entries?.length) return <p className="contents-empty">This file has no table of contents.</p>
  const go = (destination: Entry['dest']) => {
    if (destination !== null) reader.opened.current?.goTo(destination)
    onGo()
  }
  return (
    <nav aria-label="Contents" className="contents">
      <Entries entries={entries} onGo={go} />
    </nav>
  )
}

function Entries({ entries, onGo }: { entries: Entry[]; onGo: (destination: Entry['dest']) => void }) {
  return (
    <ul className="contents-list">
      {entries.map((entry, at) => (
        <li key={at}>
          {entry.dest === null ? (
            <span className="contents-entry">{entry.title}</span>
          ) : (
            <button type="button" className="contents-entry" onClick={() => onGo(entry.dest)}>
              {entry.title}
            </button>
          )}
          {entry.items.length > 0 && <Entries entries={entry.items} onGo={onGo} />}
        </li>
      ))}
    </ul>
  )
}
