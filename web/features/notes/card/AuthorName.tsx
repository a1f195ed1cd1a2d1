import { Link } from 'react-router'
import type { Note } from '../../../../packages/contract/notes.ts'
import * as paths from '../../../platform/paths.ts'

/** Links to the notes the author shares by name. The API returns an anonymous note's user only to its author. */
export function AuthorName({ note, isOwn, className }: { note: Note; isOwn: boolean; className: string }) {
  const name = authorName(note, isOwn)
  if (isOwn || note.user === null || note.isAnonymous) return name
  return (
    <Link to={paths.person(note.user._id)} className={className}>
      {name}
    </Link>
  )
}

function authorName({ user, isAnonymous }: Note, isOwn: boolean): string {
  if (isOwn) return 'You'
  return user === null || isAnonymous ? '-' : user.name
}
