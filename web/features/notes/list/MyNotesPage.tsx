import { useEffect } from 'react'
import type { LoaderFunctionArgs } from 'react-router'
import { UploadedNotice } from '../../uploads/UploadedNotice.tsx'
import { AuthorStats } from '../author-stats/AuthorStats.tsx'
import { preloadAuthorStats } from '../author-stats/author-stats-query.ts'
import { AuthorCases, ClosedCases } from '../my-notes/AuthorCases.tsx'
import { preloadAuthorCases } from '../my-notes/author-cases-query.ts'
import { choosing, MyNotesGrid } from '../my-notes/MyNotesGrid.tsx'
import { NotesListPage, noteListLoader } from './NotesListPage.tsx'

const listLoader = noteListLoader('mine')

export async function loader(args: LoaderFunctionArgs): Promise<null> {
  await Promise.all([listLoader(args), preloadAuthorStats(), preloadAuthorCases()])
  return null
}

export function Component() {
  useEffect(() => choosing.stop, [])
  return (
    <NotesListPage scope="mine" Notes={MyNotesGrid} after={<ClosedCases />}>
      <UploadedNotice />
      <AuthorCases />
      <AuthorStats />
    </NotesListPage>
  )
}
