import { useEffect } from 'react'
import { getNotes } from '../../../../packages/contract/notes.endpoints.ts'
import { maxNotesAsked } from '../../../../packages/contract/notes.ts'
import { api } from '../../../platform/api/client.ts'
import { getCachedNote, patchCachedNote } from './note-cache.ts'

/** The delay doubles from `firstMs` up to `lastMs`. Polling ends after `endAfterMs`, even if a file is not ready. */
const delays = { firstMs: 1_000, lastMs: 60_000, endAfterMs: 5 * 60_000 }

/** The number of visible cards of each note that is still being processed. */
const shown = new Map<string, number>()
let timer: ReturnType<typeof setTimeout> | undefined
let delayMs = delays.firstMs
let endAt = 0

/** Polls a visible note while its file is being processed, so that its thumbnail appears without a reload. */
export function usePollProcessing(noteId: string, isProcessing: boolean | undefined): void {
  useEffect(() => {
    if (isProcessing) return follow(noteId)
  }, [noteId, isProcessing])
}

function follow(noteId: string): () => void {
  const cards = shown.get(noteId) ?? 0
  shown.set(noteId, cards + 1)
  // A newly visible note may be ready soon, so polling restarts with the shortest delay.
  if (cards === 0) startOver()
  return () => {
    const left = (shown.get(noteId) ?? 1) - 1
    if (left > 0) shown.set(noteId, left)
    else shown.delete(noteId)
  }
}

function startOver(): void {
  delayMs = delays.firstMs
  endAt = Date.now() + delays.endAfterMs
  schedule()
}

function schedule(): void {
  clearTimeout(timer)
  timer = setTimeout(() => void ask(), delayMs)
}

async function ask(): Promise<void> {
  if (shown.size === 0 || Date.now() > endAt) return
  if (document.hidden) return document.addEventListener('visibilitychange', startOver, { once: true })
  const asked = [...shown.keys()].slice(0, maxNotesAsked)
  const before = new Map(asked.map((noteId) => [noteId, getCachedNote(noteId)?.document]))
  // A failed request is repeated at the next poll.
  const { notes } = await api.call(getNotes, { query: { ids: asked.join(',') } }).catch(() => ({ notes: [] }))
  for (const note of notes) {
    // Only the document is updated, because a rating may have changed meanwhile. It is skipped if an edit replaced the
    // file.
    if (getCachedNote(note._id)?.document === before.get(note._id))
      patchCachedNote(note._id, { document: note.document })
  }
  delayMs = Math.min(2 * delayMs, delays.lastMs)
  schedule()
}
