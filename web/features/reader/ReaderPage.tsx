import { useEffect, useState } from 'react'
import { type LoaderFunctionArgs, type ShouldRevalidateFunction, useLoaderData, useSearchParams } from 'react-router'
import { quoteLength } from '../../../packages/contract/limits.ts'
import { getNote } from '../../../packages/contract/notes.endpoints.ts'
import type { Note } from '../../../packages/contract/notes.ts'
import { getReadingPosition } from '../../../packages/contract/reading-progress.endpoints.ts'
import { ApiError, api } from '../../platform/api/client.ts'
import { CenteredPage } from '../../platform/layout/CenteredPage.tsx'
import { type PageHandle, setPageTitle } from '../../platform/layout/page-handle.ts'
import * as paths from '../../platform/paths.ts'
import { ButtonLink } from '../../platform/ui/Button.tsx'
import { currentMoment, getCachedNote, upsertNotes, useNote } from '../notes/cache/note-cache.ts'
import { ensureUserLists, removeNote } from '../notes/cache/user-lists.ts'
import { isDeleted } from '../notes/write-note.ts'
import { Reader } from './Reader.tsx'
import { loadPdfjs } from './viewer/note-file.ts'
import { isBegun, preloadDocument } from './viewer/preload-document.ts'

/** Null when the note is deleted. */
type Loaded = { note: Note; savedPage: number } | null

export const handle = {
  title: (loaded) => loaded?.note.title ?? 'Note not found',
  isFullScreen: (loaded) => loaded !== null,
} satisfies PageHandle<Loaded>

/** Changes of page, search and drawer in the address need no reload. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ currentUrl, nextUrl }) =>
  currentUrl.pathname !== nextUrl.pathname || currentUrl.search === nextUrl.search

export const preload = async () => void (await loadPdfjs())

export async function loader({ params: { id = '' }, request }: LoaderFunctionArgs): Promise<Loaded> {
  const { signal } = request
  const askedAt = currentMoment()
  const asked = api.call(getNote, { params: { id }, signal })
  // Loads the file together with the note. The reader reports a failure.
  const begun = isBegun(id) ? null : preloadDocument(id, getCachedNote(id)?.document.bytes ?? asked.then(bytesOf))
  try {
    const [note, { page }] = await Promise.all([
      asked,
      api.call(getReadingPosition, { params: { id }, signal }),
      ensureUserLists(),
    ])
    upsertNotes([note], askedAt)
    return { note, savedPage: page }
  } catch (failure) {
    begun?.end()
    if (!isUnknown(failure)) throw failure
    removeNote(id)
    return null
  }
}

const bytesOf = ({ document }: Note) => document.bytes

/** Deleted, or the address does not contain a note id. */
const isUnknown = (failure: unknown) => isDeleted(failure) || isInvalid(failure)
const isInvalid = (failure: unknown) => failure instanceof ApiError && failure.code === 'invalid_input'

export function Component() {
  const loaded = useLoaderData<Loaded>()
  if (loaded === null) return <NoteNotFound />
  // A different note remounts the reader.
  return <NoteReader key={loaded.note._id} noteId={loaded.note._id} savedPage={loaded.savedPage} />
}

function NoteReader({ noteId, savedPage }: { noteId: string; savedPage: number }) {
  const note = useNote(noteId)
  const [now] = useSearchParams()
  // The initial values, because the reader changes the address.
  const [params] = useState(now)
  const asked = Number(params.get('page'))
  const title = note?.title
  useEffect(() => {
    // After an edit; the layout sets the first title.
    if (title !== undefined) setPageTitle(title)
  }, [title])
  if (note === undefined) return null
  return (
    <Reader
      note={note}
      savedPage={savedPage}
      firstPage={Number.isInteger(asked) && asked > 0 ? asked : savedPage}
      search={params.get('find') ?? ''}
      quote={params.get('quote')?.slice(0, quoteLength.max) ?? ''}
    />
  )
}

/** Replaces the reader of a deleted note. */
const NoteNotFound = () => (
  <CenteredPage drawing="lost" title="Note not found" text="This note does not exist or has been deleted.">
    <ButtonLink to={paths.browse()}>Browse notes</ButtonLink>
  </CenteredPage>
)
