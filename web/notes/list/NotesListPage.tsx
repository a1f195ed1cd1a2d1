import { lazy, Suspense, useEffect } from 'react'
import type { LoaderFunctionArgs } from 'react-router'
import { ensureClientConfig } from '../../api/config.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { whenIdle } from '../../ui/when-idle.ts'
import type { NoteScope } from '../cache/note-cache.ts'
import { ensureOwnLists } from '../cache/own-lists.ts'
import { CardGrid, CardGridSkeleton } from '../card/CardGrid.tsx'
import { useNoteDialogs } from '../dialogs/use-note-dialogs.ts'
import { SearchBar } from '../search/SearchBar.tsx'
import { readSearch } from '../search/search-params.ts'
import { EmptyResult } from './EmptyResult.tsx'
import { fetchErrorText } from './fetch-error.ts'
import { LoadMore } from './LoadMore.tsx'
import { prepareList } from './list-query.ts'
import { scopes } from './scopes.ts'
import { type NoteList, useNoteList } from './use-note-list.ts'
import './notes-list-page.css'

const loadEditNoteDialog = () =>
  import('../dialogs/EditNoteDialog.tsx').then(({ EditNoteDialog }) => ({ default: EditNoteDialog }))

const loadDeleteNoteDialog = () =>
  import('../dialogs/DeleteNoteDialog.tsx').then(({ DeleteNoteDialog }) => ({ default: DeleteNoteDialog }))

const EditNoteDialog = lazy(loadEditNoteDialog)
const DeleteNoteDialog = lazy(loadDeleteNoteDialog)

/** So that the first dialog opens as quickly as the later ones. */
const loadDialogs = () => void Promise.all([loadEditNoteDialog(), loadDeleteNoteDialog()]).catch(() => {})

/** The first page of notes is here, or known to have failed, before the page is displayed (SPEC.md section 2). */
export const noteListLoader =
  (scope: NoteScope) =>
  async ({ request }: LoaderFunctionArgs): Promise<null> => {
    const search = readSearch(new URL(request.url).searchParams)
    await Promise.all([prepareList(scope, search), ensureOwnLists(), ensureClientConfig()])
    return null
  }

/** Browse, My Notes and Liked Notes: one page over three lists. */
export function NotesListPage({ scope }: { scope: NoteScope }) {
  const { searchTitle, gridTitle, allowsChange } = scopes[scope]
  const list = useNoteList(scope)
  const dialogs = useNoteDialogs()
  useEffect(() => (allowsChange ? whenIdle(loadDialogs) : undefined), [allowsChange])
  return (
    <div className="page">
      <SearchBar title={searchTitle} search={list.search} isSearching={list.isSearching} onSearch={list.runSearch} />
      <section aria-labelledby="notes-title" aria-busy={list.isSearching} className="notes-list-page-notes">
        <h1 id="notes-title" className="page-title notes-list-page-title">
          {gridTitle}
        </h1>
        <p role="status" className="visually-hidden">
          {list.isSearching ? '' : countText(list)}
        </p>
        {list.isWaiting ? (
          <CardGridSkeleton />
        ) : list.noteIds.length > 0 ? (
          <CardGrid
            noteIds={list.noteIds}
            isBlocked={list.isBlocked}
            heading="h2"
            actions={allowsChange ? dialogs.actions : undefined}
          />
        ) : list.hasFailed ? (
          <EmptyState
            title={fetchErrorText}
            drawing="broken"
            action={
              <Button variant="secondary" busy={list.isSearching} onClick={() => void list.runSearch(list.search)}>
                Try again
              </Button>
            }
          />
        ) : (
          !list.isSearching && <EmptyResult scope={scope} search={list.search} onSearch={list.runSearch} />
        )}
        <LoadMore
          hasMore={list.hasMore && !list.isSearching}
          isLoading={list.isLoadingMore}
          hasFailed={list.hasMoreFailed}
          onLoadMore={() => void list.loadMore()}
        />
      </section>
      {allowsChange && (
        <Suspense>
          {dialogs.editing && <EditNoteDialog {...dialogs.editing} />}
          {dialogs.removing && <DeleteNoteDialog {...dialogs.removing} />}
        </Suspense>
      )}
    </div>
  )
}

function countText({ noteIds, hasMore, hasFailed }: NoteList): string {
  if (hasFailed) return fetchErrorText
  if (noteIds.length === 0) return 'No notes were found.'
  const count = noteIds.length === 1 ? '1 note' : `${noteIds.length} notes`
  return hasMore ? `${count} shown. More can be loaded.` : `${count} shown.`
}
