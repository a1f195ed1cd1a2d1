import { type ComponentType, type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { type LoaderFunctionArgs, useNavigationType } from 'react-router'
import { ensureClientConfig } from '../../../platform/api/config.ts'
import { Button } from '../../../platform/ui/Button.tsx'
import { isMobile } from '../../../platform/ui/browser.ts'
import { EmptyState } from '../../../platform/ui/EmptyState.tsx'
import { HiddenStatus, Row, Stack } from '../../../platform/ui/layout.tsx'
import { ResultList, ResultListSkeleton } from '../../search/results/ResultList.tsx'
import { SearchBar } from '../../search/SearchBar.tsx'
import { emptySearch } from '../../search/search-params.ts'
import type { NoteScope } from '../cache/note-cache.ts'
import { ensureUserLists } from '../cache/user-lists.ts'
import { CardGrid } from '../card/CardGrid.tsx'
import { CardGridSkeleton } from '../card/CardSkeleton.tsx'
import type { NoteActions } from '../card/NoteCard.tsx'
import { useNoteDialogs } from '../dialogs/use-note-dialogs.tsx'
import { describeShown, fetchErrorText } from '../format.ts'
import { EmptyResult } from './EmptyResult.tsx'
import { LoadMore } from './LoadMore.tsx'
import { preloadList } from './list-query.ts'
import { listView } from './preferences.ts'
import { SearchSummary } from './SearchSummary.tsx'
import { readSearchOf, scopes } from './scopes.ts'
import { type NoteList, useNoteList } from './use-note-list.ts'
import { ViewToggle } from './ViewToggle.tsx'
import './notes-list-page.css'

/** Resolves when the first page of notes is loaded or has failed, before the page is displayed (SPEC.md section 2). */
export const noteListLoader =
  (scope: NoteScope) =>
  async ({ request }: LoaderFunctionArgs): Promise<null> => {
    const search = readSearchOf(scope, new URL(request.url).searchParams)
    await Promise.all([preloadList(scope, search), ensureUserLists(), ensureClientConfig()])
    return null
  }

type NotesListPageProps = {
  scope: NoteScope
  /** Content above the notes. */
  children?: ReactNode
  /** Content below the notes. */
  after?: ReactNode
  /** Renders a list with notes, or with skeletons while it is waiting; the default is a grid. */
  Notes?: ComponentType<NotesProps>
}

export type NotesProps = { list: NoteList; actions: NoteActions | undefined }

/** The shared page of Browse, My Notes and Liked Notes. */
export function NotesListPage({ scope, children, after, Notes = NotesGrid }: NotesListPageProps) {
  const { searchTitle, gridTitle, boxLabel, allowsChange } = scopes[scope]
  const list = useNoteList(scope)
  const { text } = list.search
  const { actions, dialog } = useNoteDialogs(allowsChange)
  const title = useRef<HTMLHeadingElement>(null)
  useScrollToResults(title, list.isSearching)
  return (
    <div className="page">
      <SearchBar
        heading={searchTitle}
        boxLabel={boxLabel}
        search={list.search}
        isSearching={list.isSearching}
        onSearch={list.runSearch}
      />
      {children}
      <Stack as="section" gap={0} top={1.75} aria-labelledby="notes-title" aria-busy={list.isSearching}>
        <Row justify="space-between" gap={1} bottom={1.25}>
          <h1 ref={title} id="notes-title" className="page-title text notes-list-page-title">
            {text === ''
              ? gridTitle
              : `Results ${scope === 'all' ? '' : `in ${gridTitle} `}for ${inQuotes(list.found?.corrected ?? text)}`}
          </h1>
          <ViewToggle isOfResults={text !== ''} />
        </Row>
        <HiddenStatus>{list.isSearching ? '' : countText(list)}</HiddenStatus>
        <SearchSummary list={list} />
        <ListContent scope={scope} list={list} Notes={Notes} actions={allowsChange ? actions : undefined} />
        <LoadMore list={list.pages} isHidden={list.isSearching} onLoadMore={() => void list.loadMore()} />
      </Stack>
      {after}
      {dialog}
    </div>
  )
}

const inQuotes = (text: string) => (/["“”„«»]/.test(text) ? text : `“${text}”`)

function NotesGrid({ list: { noteIds, isBlocked, isWaiting }, actions }: NotesProps) {
  const isCompact = listView.use() === 'list'
  if (isWaiting) return <CardGridSkeleton isCompact={isCompact} />
  return <CardGrid noteIds={noteIds} isBlocked={isBlocked} isCompact={isCompact} heading="h2" actions={actions} />
}

type ListContentProps = NotesProps & { scope: NoteScope; Notes: ComponentType<NotesProps> }

function ListContent({ scope, list, actions, Notes }: ListContentProps) {
  const { search, shownSearch, noteIds, found, refusal, isBlocked, isSearching, isWaiting } = list
  const isCompact = listView.use() === 'list'
  // The tools above the notes stay while the notes are loading, and keep the focus.
  if (shownSearch.text === '' && (isWaiting || noteIds.length > 0)) return <Notes list={list} actions={actions} />
  if (isWaiting) return <ResultListSkeleton isDense={isCompact} />
  if (noteIds.length > 0) {
    const { inNotes = nothingFound, corrected } = found ?? {}
    return (
      <ResultList
        noteIds={noteIds}
        found={inNotes}
        find={corrected ?? search.text}
        isDense={isCompact}
        isBlocked={isBlocked}
        actions={actions}
      />
    )
  }
  if (refusal !== null) {
    const showAll = <Button onClick={() => void list.runSearch(emptySearch)}>Show all notes</Button>
    return <EmptyState isAnnounced title={refusal} drawing="search" action={showAll} />
  }
  if (list.hasFailed) {
    const tryAgain = (
      <Button busy={isSearching} onClick={() => void list.runSearch(search)}>
        Try again
      </Button>
    )
    return <EmptyState isAnnounced title={fetchErrorText} drawing="broken" action={tryAgain} />
  }
  // All displayed notes are deleted, and the error about the others stands at Load More.
  return isSearching || list.hasMore ? null : (
    <EmptyResult
      scope={scope}
      search={search}
      shortened={found?.shortened ?? null}
      otherHits={list.otherHits}
      onSearch={list.runSearch}
    />
  )
}

const nothingFound = {}

function countText({ noteIds, hasMore, hasFailed, hasMoreFailed, refusal }: NoteList): string {
  if (refusal !== null) return refusal
  if (hasFailed || (noteIds.length === 0 && hasMoreFailed)) return fetchErrorText
  if (noteIds.length === 0) return 'No notes were found.'
  return describeShown(noteIds.length, hasMore)
}

/**
 * After a search, a phone scrolls to the title of the results, because the form is above it. Going back restores the
 * previous scroll position instead.
 */
function useScrollToResults(title: RefObject<HTMLElement | null>, isSearching: boolean): void {
  const isBack = useNavigationType() === 'POP'
  const wasSearching = useRef(false)
  useEffect(() => {
    const isOver = wasSearching.current && !isSearching
    wasSearching.current = isSearching
    if (!isOver || isBack || title.current === null) return
    const { activeElement } = document
    // The pressed element may have disappeared with the previous search. Below the title it keeps the focus.
    const isLost = activeElement === document.body
    if (!isLost && (!isMobile() || title.current.closest('section')?.contains(activeElement))) return
    title.current.setAttribute('tabindex', '-1')
    title.current.focus({ preventScroll: true })
    if (isMobile()) title.current.scrollIntoView()
  }, [title, isSearching, isBack])
}
