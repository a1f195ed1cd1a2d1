import { useQuery } from '@tanstack/react-query'
import * as paths from '../../platform/paths.ts'
import { NoteShelf } from '../notes/card/NoteShelf.tsx'
import { newNotesQuery } from './course-queries.ts'

/** What is new in the courses one follows. Nothing where there is nothing, or where it cannot be had. */
export function FollowedCoursesShelf() {
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
