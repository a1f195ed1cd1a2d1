import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { NoteShelf } from '../notes/card/NoteShelf.tsx'
import * as paths from '../paths.ts'
import { keptChoice } from '../ui/kept-choice.ts'
import { newNotesQuery } from './course-queries.ts'

/**
 * Whether there was something new in followed courses when this browser last knew. It only holds a place for the shelf,
 * so that nothing moves when it comes.
 */
const hadNews = keptChoice('lectern-course-news', ['no', 'yes'])

/** What is new in the courses one follows. Nothing where there is nothing, or where it cannot be had. */
export function FollowedShelf() {
  const { data, isError } = useQuery(newNotesQuery)
  useEffect(() => {
    if (data !== undefined) hadNews.choose(data.length > 0 ? 'yes' : 'no')
  }, [data])
  if (data === undefined ? isError || hadNews.get() === 'no' : data.length === 0) return null
  return (
    <NoteShelf
      title="New in your courses"
      noteIds={data}
      more={{ to: paths.courses(), label: 'All your courses' }}
      empty=""
    />
  )
}
