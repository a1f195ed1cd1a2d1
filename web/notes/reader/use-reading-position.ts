import { useEffect } from 'react'
import { saveReadingPosition } from '../../../contract/reading.endpoints.ts'
import { api } from '../../api/client.ts'
import type { DocumentStore } from './document/document-store.ts'

/** Whoever leafs through pages has not stopped yet. */
const restMs = 2_000

/** Tells the server where the student stopped: after a rest on a page, and when the reader is left. */
export function useReadingPosition(noteId: string, store: DocumentStore, savedPage: number): void {
  useEffect(() => {
    let saved = savedPage
    let timer: ReturnType<typeof setTimeout> | undefined
    const save = () => {
      clearTimeout(timer)
      const { page, opening } = store.getState()
      if (opening.kind !== 'ready' || page === saved) return
      const before = saved
      saved = page
      // A position that is lost is not worth a message; it is told again with the connection, or on leaving.
      api.call(saveReadingPosition, { params: { id: noteId }, body: { page }, keepalive: true }).catch(() => {
        saved = before
      })
    }
    const saveIfHidden = () => document.visibilityState === 'hidden' && save()
    const unsubscribe = store.subscribe(({ page }, before) => {
      if (page === before.page) return
      clearTimeout(timer)
      timer = setTimeout(save, restMs)
    })
    document.addEventListener('visibilitychange', saveIfHidden)
    window.addEventListener('pagehide', save)
    window.addEventListener('online', save)
    return () => {
      unsubscribe()
      document.removeEventListener('visibilitychange', saveIfHidden)
      window.removeEventListener('pagehide', save)
      window.removeEventListener('online', save)
      save()
    }
  }, [noteId, store, savedPage])
}
