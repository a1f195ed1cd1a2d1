import { useEffect } from 'react'
import { quoteLength } from '../../../packages/contract/limits.ts'
import * as paths from '../../platform/paths.ts'
import type { DocumentStore } from './viewer/document-store.ts'

/** Browsers refuse to change an address many times a second. */
const restMs = 300

/** How an address names what is marked: as the search that led here, or as it was typed into the reader. */
export const toMark = (text: string, search: string) =>
  text === search ? { find: text } : { quote: text.slice(0, quoteLength.max) }

/** Keeps page and search in the address, which can be sent to others. */
export function useAddress(noteId: string, store: DocumentStore, search: string): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const write = () => {
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
    // Back from the drawer comes to the address that it was opened at.
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
