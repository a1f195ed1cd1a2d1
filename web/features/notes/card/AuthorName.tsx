import { Link } from 'react-router'
import type { Note } from '../../../../packages/contract/notes.ts'
import * as paths from '../../../platform/paths.ts'

type AuthorNameProps = { note: Note; isOwn: boolean; className: string }

/** Who wrote a note, which leads to what they share by name. Of an anonymous one nobody but its owner is told a user. */
export function AuthorName({ note, isOwn, className }: AuthorNameProps) {
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
