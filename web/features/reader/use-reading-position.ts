import { useEffect } from 'react'
import { saveReadingPosition } from '../../../packages/contract/reading-progress.endpoints.ts'
import { api } from '../../platform/api/client.ts'
import type { DocumentStore } from './viewer/document-store.ts'

/** A page counts as reached only after this time. */
const restMs = 2_000
/** Looking at earlier pages moves the saved page back only after this time, or after a rest on `stayPages` pages. */
const stayMs = 30_000
const stayPages = 3

/** Saves where the student stopped: after a rest on a page, and when the reader is closed. */
export function useReadingPosition(noteId: string, store: DocumentStore, savedPage: number): void {
  useEffect(() => {
    const { save, stop } = followPosition(store, savedPage, (page) =>
      api.call(saveReadingPosition, { params: { id: noteId }, body: { page }, keepalive: true }),
    )
    const saveIfHidden = () => document.visibilityState === 'hidden' && save()
    document.addEventListener('visibilitychange', saveIfHidden)
    window.addEventListener('pagehide', save)
    window.addEventListener('online', save)
    return () => {
      document.removeEventListener('visibilitychange', saveIfHidden)
      window.removeEventListener('pagehide', save)
      window.removeEventListener('online', save)
      stop()
    }
  }, [noteId, store, savedPage])
}

/** @returns `save`, which saves immediately if the rules allow it, and `stop`, which also saves a last time. */
export function followPosition(store: DocumentStore, savedPage: number, send: (page: number) => Promise<unknown>) {
  let saved = savedPage
  /** Since when earlier pages than the saved one are shown, and the pages rested on since then. */
  let back: { sinceMs: number; pages: Set<number> } | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  const save = () => {
    const { page, opening } = store.getState()
    if (opening.kind !== 'ready' || page === saved) return
    const leftMs = back === null || back.pages.size >= stayPages ? 0 : back.sinceMs + stayMs - Date.now()
    clearTimeout(timer)
    if (leftMs > 0) {
      timer = setTimeout(save, leftMs)
      return
    }
    const before = saved
    saved = page
    // A lost position needs no message; it is sent again when the connection returns or the reader is closed.
    send(page).catch(() => {
      saved = before
    })
  }
  const rest = () => {
    back?.pages.add(store.getState().page)
    save()
  }
  const unfollow = store.subscribe(({ page, opening }, before) => {
    if (page === before.page && opening === before.opening) return
    if (page >= saved) back = null
    else back ??= { sinceMs: Date.now(), pages: new Set() }
    clearTimeout(timer)
    timer = setTimeout(rest, restMs)
  })
  return {
    save,
    stop: () => {
      unfollow()
      save()
      clearTimeout(timer)
    },
  }
}
