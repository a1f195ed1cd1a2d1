import { useQuery } from '@tanstack/react-query'
import * as paths from '../../platform/paths.ts'
import { NoteShelf } from '../notes/card/NoteShelf.tsx'
import { newNotesQuery } from './course-queries.ts'

/** Shows new notes in followed courses. Renders nothing if there are none or if loading failed. */
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
