import { maxMatchingPages, type SearchHit } from '../../../../packages/contract/search.ts'
import * as paths from '../../../platform/paths.ts'
import './snippets.css'

type SnippetsProps = Pick<SearchHit, 'snippets' | 'matchingPages'> & {
  noteId: string
  find: string
  /** Shows only the best snippet, in one row. */
  isDense: boolean
}

/** Shows the matching snippets of a note with links to their pages. Text from files is rendered as plain text only. */
export function Snippets({ noteId, snippets, matchingPages, find, isDense }: SnippetsProps) {
  const more = isDense ? 0 : matchingPages - snippets.length
  return (
    <ul className="snippets">
      {(isDense ? snippets.slice(0, 1) : snippets).map(({ page, parts }, at) => (
        <li key={at}>
          <a href={paths.note(noteId, { page, find })} target="_blank" rel="noopener" className="snippets-link">
            <span className="text-faint text-count snippets-page">Page {page}</span>
            <span dir="auto" className="text text-soft snippets-text">
              {parts.map(({ text, isMatch }, place) =>
                isMatch ? <mark key={place}>{text}</mark> : isDense && place === 0 ? endOf(text) : text,
              )}
            </span>
          </a>
        </li>
      ))}
      {more > 0 && (
        <li>
          <a
            href={paths.note(noteId, { page: snippets[0]?.page, find, panel: 'matches' })}
            target="_blank"
            rel="noopener"
            className="text-soft snippets-link snippets-more"
          >
            {matchingPages === maxMatchingPages && 'Over '}
            {more} more in this note
          </a>
        </li>
      )}
    </ul>
  )
}

/** Cuts the text before the first match, so that the match is visible on a phone. */
const endOf = (text: string) => (text.length > 20 ? `…${text.slice(-16).replace(/^\S*(?=\s)/, '')}` : text)
