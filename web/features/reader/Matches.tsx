import './matches.css'
import { type ReaderDocument, useDocumentState } from './use-document.ts'

type MatchesProps = { reader: ReaderDocument; onGo: () => void }

/** Limits the list, because a phone renders more matches too slowly. */
const maxShown = 300

/** Lists all matches with context. Text from files is rendered as plain text only. */
export function Matches({ reader, onGo }: MatchesProps) {
  const { text, total, isComplete } = useDocumentState(reader, (state) => state.find)
  const isReady = useDocumentState(reader, (state) => state.opening.kind === 'ready')
  const find = reader.opened.current?.find
  const matches = text === '' ? [] : (find?.list(maxShown) ?? [])
  if (!isReady) return null
  if (matches.length === 0) {
    const said = text === '' ? 'Search this note to list its matches.' : isComplete ? 'No matches' : 'Searching…'
    return <p className="text-soft matches-empty">{said}</p>
  }
  return (
    <>
      <ol className="matches" aria-label="Matches">
        {matches.map((match) => (
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
      {total > maxShown && <p className="text-soft matches-empty">Showing the first {maxShown} matches.</p>}
    </>
  )
}
