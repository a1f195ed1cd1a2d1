import { useEffect } from 'react'
import { quoteLength } from '../../../packages/contract/limits.ts'
import * as paths from '../../platform/paths.ts'
import type { DocumentStore } from './viewer/document-store.ts'

/** Browsers reject frequent changes of the address. */
const restMs = 300

/** The parameter for the highlighted text: `find` for the search that opened the reader, `quote` for other text. */
export const toMark = (text: string, search: string) =>
  text === search ? { find: text } : { quote: text.slice(0, quoteLength.max) }

/** Keeps page and search in the address, so that it can be shared. */
export function useAddress(noteId: string, store: DocumentStore, search: string): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const write = () => {
      // After Back the history entry belongs to another page, which may still be loading.
      if (location.pathname !== paths.note(noteId)) return
      const state = store.getState()
      const panel = new URLSearchParams(location.search).get('panel') ?? ''
      const path = paths.note(noteId, { page: state.page, ...toMark(state.find.text, search), panel })
      history.replaceState(history.state, '', path)
    }
    const unsubscribe = store.subscribe(({ opening, page, find }, before) => {
      if (opening.kind !== 'ready' || (page === before.page && find.text === before.find.text)) return
      clearTimeout(timer)
      timer = setTimeout(write, restMs)
    })
    // Back from the drawer restores the address from when it was opened.
    const writeSoon = () => {
      clearTimeout(timer)
      if (store.getState().opening.kind === 'ready') timer = setTimeout(write, restMs)
    }
    window.addEventListener('popstate', writeSoon)
    return () => {
      unsubscribe()
      clearTimeout(timer)
      window.removeEventListener('popstate', writeSoon)
    }
  }, [noteId, store, search])
}
