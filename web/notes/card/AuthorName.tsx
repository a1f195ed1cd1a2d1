import { Link } from 'react-router'
import type { Note } from '../../../contract/notes.ts'
import * as paths from '../../paths.ts'

type AuthorNameProps = { note: Note; isOwn: boolean; className: string }

/** Who wrote a note, which leads to what they share by name. Of an anonymous one nobody but its owner is told a user. */
export function AuthorName({ note: { user, isAnonymous }, isOwn, className }: AuthorNameProps) {
  if (isOwn) return 'You'
  if (user === null || isAnonymous) return '-'
  return (
    <Link to={paths.person(user._id)} className={className}>
      {user.name}
    </Link>
  )
}
