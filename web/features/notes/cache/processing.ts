import { useEffect } from 'react'
import { getNotes } from '../../../../packages/contract/notes.endpoints.ts'
import { maxNotesAsked } from '../../../../packages/contract/notes.ts'
import { api } from '../../../platform/api/client.ts'
import { getCachedNote, getShownNoteIds, patchCachedNote } from './note-cache.ts'

/** The delay doubles from `firstMs` up to `lastMs`. Polling ends after `endAfterMs`, even if a file is not ready. */
const delays = { firstMs: 1_000, lastMs: 60_000, endAfterMs: 5 * 60_000 }

let timer: ReturnType<typeof setTimeout> | undefined
let delayMs = delays.firstMs
let endAt = 0

/** Polls the visible notes while files are being processed, so that thumbnails appear without a reload. */
export function usePollProcessing(isProcessing: boolean | undefined): void {
  useEffect(() => {
    // A newly visible note may be ready soon, so polling restarts with the shortest delay.
    if (isProcessing) startOver()
  }, [isProcessing])
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
  const waiting = getShownNoteIds().filter((noteId) => getCachedNote(noteId)?.document.isProcessing)
  if (waiting.length === 0 || Date.now() > endAt) return
  if (document.hidden) return document.addEventListener('visibilitychange', startOver, { once: true })
  const asked = waiting.slice(0, maxNotesAsked)
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
