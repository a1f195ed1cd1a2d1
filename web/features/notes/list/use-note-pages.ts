import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { getErrorMessage } from '../../../platform/api/client.ts'
import { showErrorToast } from '../../../platform/session/show-error-toast.ts'
import type { NotePages } from './note-pages.ts'
import { savePageCount } from './restore-pages.ts'

/** Returns a displayed list and its load-more function. The number of loaded pages is stored in the history entry. */
export function useNotePages(pages: NotePages) {
  const list = useInfiniteQuery(pages)
  const { key } = useLocation()
  const pageCount = list.data?.pageCount
  useEffect(() => {
    if (pageCount !== undefined) savePageCount(key, pageCount)
  }, [key, pageCount])

  async function loadMore(): Promise<void> {
    const result = await list.fetchNextPage({ cancelRefetch: false })
    if (!result.isFetchNextPageError) return
    showErrorToast(result.error, getErrorMessage(result.error, 'Failed to load more notes. Please try again later.'))
  }

  return { list, loadMore }
}
