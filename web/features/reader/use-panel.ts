import { useLocation, useNavigate } from 'react-router'

export const panelTabs = ['pages', 'contents', 'matches', 'details'] as const
export type PanelTab = (typeof panelTabs)[number]

/** The state of the history entry that opening the drawer created. */
type Entry = { isOfPanel?: true; takesFocus?: boolean } | null

/** The drawer has its own history entry, so that Back closes it before it leaves the note. */
export function usePanel() {
  const { search, state } = useLocation()
  const navigate = useNavigate()
  const asked = new URLSearchParams(search).get('panel')
  const tab = panelTabs.find((each) => each === asked) ?? null
  const entry = state as Entry

  /** Reads `window.location`, because `useAddress` changes the address without the router. */
  function go(tab: PanelTab | null, options: { replace?: boolean; state?: Entry }) {
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
