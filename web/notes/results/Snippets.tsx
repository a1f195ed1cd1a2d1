import { Link } from 'react-router'
import type { Snippet } from '../../../contract/search.ts'
import * as paths from '../../paths.ts'
import './snippets.css'

type SnippetsProps = { noteId: string; snippets: Snippet[]; find: string }

/** The passages of a note that match, each leading to its page. What files say is shown as text and nothing else. */
export function Snippets({ noteId, snippets, find }: SnippetsProps) {
  return (
    <ul className="snippets">
      {snippets.map(({ page, parts }, at) => (
        <li key={at}>
          <Link to={paths.note(noteId, { page, find })} className="snippets-link">
            <span className="text-faint text-count snippets-page">Page {page}</span>
            <span dir="auto" className="text text-soft snippets-text">
              {parts.map(({ text, isMatch }, place) => (isMatch ? <mark key={place}>{text}</mark> : text))}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
