import { useEffect } from 'react'
import type { LoaderFunctionArgs } from 'react-router'
import { queryClient } from '../../../platform/api/query-client.ts'
import { UploadedNotice } from '../../uploads/UploadedNotice.tsx'
import { AuthorStats } from '../author-stats/AuthorStats.tsx'
import { preloadAuthorStats } from '../author-stats/author-stats.ts'
import { authorCasesQuery } from '../cache/user-lists.ts'
import { AuthorCases, ClosedCases } from '../my-notes/AuthorCases.tsx'
import { MyNotesGrid } from '../my-notes/MyNotesGrid.tsx'
import { selection } from '../my-notes/note-selection.ts'
import { NotesListPage, noteListLoader } from './NotesListPage.tsx'

const listLoader = noteListLoader('mine')

export async function loader(args: LoaderFunctionArgs): Promise<void> {
  // Messages and statistics are awaited to avoid a layout shift. The page is complete without them.
  await Promise.all([listLoader(args), preloadAuthorStats(), queryClient.prefetchQuery(authorCasesQuery)])
}

export function Component() {
  useEffect(() => selection.stop, [])
  return (
    <NotesListPage scope="mine" Notes={MyNotesGrid} after={<ClosedCases />}>
      <UploadedNotice />
      <AuthorCases />
      <AuthorStats />
    </NotesListPage>
  )
}
