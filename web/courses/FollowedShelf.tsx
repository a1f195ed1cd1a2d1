import { useQuery } from '@tanstack/react-query'
import { NoteShelf } from '../notes/card/NoteShelf.tsx'
import * as paths from '../paths.ts'
import { newNotesQuery } from './course-queries.ts'

/** What is new in the courses one follows. Nothing where there is nothing, or where it cannot be had. */
export function FollowedShelf() {
  const { data = [] } = useQuery(newNotesQuery)
  if (data.length === 0) return null
  return (
    <NoteShelf
      title="New in your courses"
      noteIds={data}
      more={{ to: paths.courses(), label: 'All your courses' }}
      empty=""
    />
  )
}
