import './matches.css'
import { type ReaderDocument, useDocumentState } from './use-document.ts'

type MatchesProps = { reader: ReaderDocument; onGo: () => void }

/** More would be looked through by nobody, and take a phone long to show. */
const mostShown = 300

/** Every match with the words around it. What files say is shown as text and nothing else. */
export function Matches({ reader, onGo }: MatchesProps) {
  const { text, total, isComplete } = useDocumentState(reader, (state) => state.find)
  const isReady = useDocumentState(reader, (state) => state.opening.kind === 'ready')
  const find = reader.opened.current?.find
  const matches = text === '' ? [] : (find?.list() ?? [])
  if (!isReady) return null
  if (matches.length === 0) {
    const said = text === '' ? 'Search this note to list its matches.' : isComplete ? 'No matches' : 'Searching…'
    return <p className="text-soft matches-empty">{said}</p>
  }
  return (
    <>
      <ol className="matches" aria-label="Matches">
        {matches.slice(0, mostShown).map((match) => (
          <li key={`${match.page} ${match.at}`}>
            <button
              type="button"
              className="matches-match"
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
      {total > mostShown && <p className="text-soft matches-empty">The first {mostShown} matches are listed.</p>}
    </>
  )
}
