import type { ReactNode } from 'react'
import { useSession } from '../../../platform/session/store.ts'
import { ErrorState } from '../../../platform/ui/EmptyState.tsx'
import { HiddenStatus, Row, Stack } from '../../../platform/ui/layout.tsx'
import { CardGrid } from '../card/CardGrid.tsx'
import { describeShown, fetchErrorText } from '../format.ts'
import { LoadMore } from './LoadMore.tsx'
import { type NotePages, useNotePages } from './note-pages.ts'
import { listView } from './preferences.ts'
import { ViewToggle } from './ViewToggle.tsx'

type PagedNotesProps = {
  pages: NotePages
  /** True while other notes are loading. */
  isLoading?: boolean
  /** The heading and controls that describe the notes and their order. */
  children: ReactNode
  empty?: ReactNode
}

/** The notes on a page that also shows other facts, about a course or an author. */
export function PagedNotes({ pages, isLoading = false, children, empty }: PagedNotesProps) {
  const { list, loadMore } = useNotePages(pages)
  const isSessionBusy = useSession((state) => state.isLoading)
  const isCompact = listView.use() === 'list'
  const { noteIds = [], hasMore = false } = list.data ?? {}
  const isBlocked = isLoading || isSessionBusy || list.isFetchingNextPage
  return (
    <Stack as="section" gap={0} top={2.5} aria-labelledby="paged-notes-title" aria-busy={isBlocked}>
      <Row justify="space-between" gap={1}>
        <h2 id="paged-notes-title">Notes</h2>
        <ViewToggle />
      </Row>
      <Stack gap={0.75} top={0.875} bottom={1.5}>
        {children}
      </Stack>
      <HiddenStatus>{list.isPending ? '' : describeShown(noteIds.length, hasMore)}</HiddenStatus>
      {noteIds.length > 0 ? (
        <CardGrid noteIds={noteIds} isBlocked={isBlocked} isCompact={isCompact} />
      ) : list.isLoadingError ? (
        <ErrorState title={fetchErrorText} query={list} />
      ) : (
        empty
      )}
      <LoadMore list={list} onLoadMore={() => void loadMore()} />
    </Stack>
  )
}
