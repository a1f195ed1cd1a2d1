import { queryOptions, skipToken } from '@tanstack/react-query'
import type { Note } from '../../../packages/contract/notes.ts'
import { dismissNoteInProgress, listNotesInProgress } from '../../../packages/contract/reading-progress.endpoints.ts'
import { choose } from '../../platform/api/choose.ts'
import { api } from '../../platform/api/client.ts'
import { unlessAborted } from '../../platform/api/pause.ts'
import { queryClient } from '../../platform/api/query-client.ts'
import { showErrorToast } from '../../platform/session/show-error-toast.ts'
import { whenIdle } from '../../platform/ui/browser.ts'
import { currentMoment, upsertNotes } from '../notes/cache/note-cache.ts'

export type ContinueReadingItem = { noteId: string; page: number }

export const continueReadingQuery = queryOptions({
  queryKey: ['continued'],
  queryFn: async ({ signal }): Promise<ContinueReadingItem[]> => {
    const askedAt = currentMoment()
    const { reading } = await api.call(listNotesInProgress, { signal })
    upsertNotes(
      reading.map(({ note }) => note),
      askedAt,
    )
    return reading.map(({ note, page }) => ({ noteId: note._id, page }))
  },
  retryOnMount: false,
})

/** For loaders: this list is at the top of the page, so it must be loaded or have failed before the page is shown. */
export const preloadContinueReading = (): Promise<void> =>
  // The user may have read further since the last visit.
  queryClient.prefetchQuery({ ...continueReadingQuery, staleTime: 0 })

/** Twice the displayed width, because letters blur in a smaller drawing. */
const drawnWidthPx = 184
let drawing: Promise<unknown> = Promise.resolve()

/**
 * Draws the page where the user stopped, one note after another when the browser is idle. The thumbnail of the first
 * page is shown until then, on failure, and when the browser saves data.
 */
export const stoppedPageQuery = (note: Note | undefined, page: number) =>
  queryOptions({
    queryKey: ['stopped-page', note?._id, page],
    queryFn:
      note === undefined || page === 1 || savesData()
        ? skipToken
        : async ({ signal }) => {
            await unlessAborted(signal, () => new Promise<void>((resolve) => whenIdle(resolve)))
            const { drawPageOf } = await import('../reader/viewer/draw-page.ts')
            const drawn = drawing.then(() => drawPageOf(note, page, drawnWidthPx, signal))
            drawing = drawn.catch(() => {})
            return drawn
          },
    staleTime: Number.POSITIVE_INFINITY,
    retryOnMount: false,
  })

const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true

/** Removes a note immediately, and restores it if the request fails. */
export function removeFromContinueReading(noteId: string): void {
  const { queryKey } = continueReadingQuery
  const before = queryClient.getQueryData(queryKey)
  void choose(`continue reading ${noteId}`, false, {
    before: true,
    show: (isListed) =>
      queryClient.setQueryData(queryKey, (list) =>
        isListed ? restoreItem(list, noteId, before) : list?.filter((each) => each.noteId !== noteId),
      ),
    send: () => api.call(dismissNoteInProgress, { params: { id: noteId } }),
    onFailed: (error) => showErrorToast(error, 'Failed to remove the note from the list. Please try again later.'),
  })
}

/** Restores a note at its old position; other notes removed meanwhile stay removed. */
export function restoreItem(
  list: ContinueReadingItem[] = [],
  noteId: string,
  before: ContinueReadingItem[] = [],
): ContinueReadingItem[] {
  const shown = new Set([noteId, ...list.map((each) => each.noteId)])
  return before.filter((each) => shown.has(each.noteId))
}
