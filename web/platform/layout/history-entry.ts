import { useLayoutEffect } from 'react'

/**
 * Gives the document's first history entry a key, as the router does for later ones. Without it all typed addresses in
 * a tab would share one scroll position. A reload keeps the key.
 */
export function ensureHistoryKey(): void {
  const entry = history.state as { key?: string } | null
  // biome-ignore lint/plugin/forbidden-in-product: the key is only compared within this tab
  if (!entry?.key) history.replaceState({ ...entry, key: Math.random().toString(36).slice(2, 10) }, '')
}

/** The storage of React Router's `ScrollRestoration`. */
const positionsKey = 'react-router-scroll-positions'

/**
 * Rendered before the router, whose first page replaces a document that the user may have scrolled: the router then
 * scrolls to the same place instead of the top.
 */
export function KeepScrollPosition(): null {
  useLayoutEffect(() => {
    const { key } = history.state as { key: string }
    try {
      const positions = JSON.parse(sessionStorage.getItem(positionsKey) ?? '{}')
      sessionStorage.setItem(positionsKey, JSON.stringify({ ...positions, [key]: window.scrollY }))
    } catch {
      // Storage is disabled: the page begins at its top.
    }
  }, [])
  return null
}
