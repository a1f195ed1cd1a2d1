import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { NoteShelf } from '../home/NoteShelf.tsx'
import * as paths from '../paths.ts'
import { newNotesQuery } from './course-queries.ts'
import { hadNews, keepHadNews } from './had-news.ts'

/** What is new in the courses one follows. Nothing where there is nothing, or where it cannot be had. */
export function FollowedShelf() {
  const { data, isError } = useQuery(newNotesQuery)
  useEffect(() => {
    if (data !== undefined) keepHadNews(data.length > 0)
  }, [data])
  if (data === undefined ? isError || !hadNews() : data.length === 0) return null
  return (
    <NoteShelf
      title="New in your courses"
      noteIds={data}
      more={{ to: paths.courses(), label: 'All your courses' }}
      empty=""
    />
  )
}
