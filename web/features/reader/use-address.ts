import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
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

export const panelTabs = ['pages', 'contents', 'matches', 'details'] as const
export type PanelTab = (typeof panelTabs)[number]

/** The state of the history entry that opening the drawer created. */
export type PanelEntry = { isOfPanel?: true; takesFocus?: boolean } | null

/** The drawer has its own history entry, so that Back closes it before it leaves the note. */
export function usePanel() {
  const { search, state } = useLocation()
  const navigate = useNavigate()
  const asked = new URLSearchParams(search).get('panel')
  const tab = panelTabs.find((each) => each === asked) ?? null
  const entry = state as PanelEntry

  /** Reads `window.location`, because `useAddress` changes the address without the router. */
  function go(tab: PanelTab | null, options: { replace?: boolean; state?: PanelEntry }) {
    const params = new URLSearchParams(window.location.search)
    if (tab) params.set('panel', tab)
    else params.delete('panel')
    void navigate({ search: params.toString() }, { ...options, preventScrollReset: true })
  }
  return {
    tab,
    takesFocus: entry?.takesFocus ?? false,
    open: (tab: PanelTab, takesFocus = false) => go(tab, { state: { isOfPanel: true, takesFocus } }),
    choose: (tab: PanelTab) => go(tab, { replace: true, state: { ...entry, takesFocus: false } }),
    close: () => (entry?.isOfPanel ? void navigate(-1) : go(null, { replace: true })),
  }
}
