import { queryOptions, skipToken, useMutation } from '@tanstack/react-query'
import type { Note } from '../../../packages/contract/notes.ts'
import { dismissNoteInProgress, listNotesInProgress } from '../../../packages/contract/reading-progress.endpoints.ts'
import { api, getErrorMessage } from '../../platform/api/client.ts'
import { queryClient } from '../../platform/api/query-client.ts'
import { showErrorToast } from '../../platform/session/show-error-toast.ts'
import { whenIdle } from '../../platform/ui/when-idle.ts'
import { currentMoment, upsertNotes } from '../notes/cache/note-cache.ts'

/** A note that is not read to its end, and the page where one stopped. */
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

/** For loaders: what one is reading stands above all else, so it is known before anything is shown, or known to have failed. */
export async function preloadContinueReading(): Promise<void> {
  // Whoever comes home has read on since.
  await queryClient.fetchQuery({ ...continueReadingQuery, staleTime: 0 }).catch(() => {
    // The page shows it: the failure stays in the cache.
  })
}

/** Twice as wide as it is shown: drawn smaller, letters run together. */
const drawnWidthPx = 184
let drawing: Promise<unknown> = Promise.resolve()

/**
 * The page where one stopped, drawn when the page around it rests, one after another. The first one has a picture already,
 * which stands for the others while they are drawn, and where they cannot be or the student saves data.
 */
export const stoppedPageQuery = (note: Note | undefined, page: number) =>
  queryOptions({
    queryKey: ['stopped-page', note?._id, page],
    queryFn:
      note === undefined || page === 1 || savesData()
        ? skipToken
        : async ({ signal }) => {
            await new Promise<void>((resolve) => whenIdle(resolve))
            const { drawPageOf } = await import('../reader/viewer/draw-page.ts')
            const drawn = drawing.then(() => drawPageOf(note, page, drawnWidthPx, signal))
            drawing = drawn.catch(() => {})
            return drawn
          },
    staleTime: Number.POSITIVE_INFINITY,
    retryOnMount: false,
  })

const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true

const failure = 'Failed to take the note off. Please try again later.'

/** Off at once, and back where the server does not hear of it. */
export function useRemoveFromContinueReading() {
  return useMutation({
    meta: { isAwaited: false },
    mutationFn: (noteId: string) => api.call(dismissNoteInProgress, { params: { id: noteId } }),
    onMutate: (noteId) => {
      const before = queryClient.getQueryData(continueReadingQuery.queryKey)
      queryClient.setQueryData(continueReadingQuery.queryKey, (list) => list?.filter((each) => each.noteId !== noteId))
      return before
    },
    onError: (error, noteId, before) => {
      queryClient.setQueryData(continueReadingQuery.queryKey, (list) => putBack(list, noteId, before))
      showErrorToast(error, getErrorMessage(error, failure))
    },
  })
}

/** One note at the place it had before; what was taken off meanwhile stays off. */
export function putBack(
  list: ContinueReadingItem[] = [],
  noteId: string,
  before: ContinueReadingItem[] = [],
): ContinueReadingItem[] {
  const shown = new Set([noteId, ...list.map((each) => each.noteId)])
  return before.filter((each) => shown.has(each.noteId))
}
