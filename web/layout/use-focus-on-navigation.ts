import { useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/**
 * A new page takes the focus to its heading, so that a screen reader reads where one is. Going back takes it to the
 * link that had led away, and who came for something on it names that as `focusId` in the history's state. A change of
 * the search alone is not a new page.
 */
export function useFocusOnNavigation(): void {
  const { key, pathname, state } = useLocation()
  const navigationType = useNavigationType()
  const current = useRef({ key, pathname })
  const leftFrom = useRef(new Map<string, string>())

  useEffect(() => {
    const rememberLink = (event: MouseEvent) => {
      const href = (event.target as Element | null)?.closest?.('a[href]')?.getAttribute('href')
      if (href) leftFrom.current.set(current.current.key, href)
    }
    // While the click goes down: the router handles it on its way up.
    document.addEventListener('click', rememberLink, true)
    return () => document.removeEventListener('click', rememberLink, true)
  }, [])

  useEffect(() => {
    const before = current.current
    current.current = { key, pathname }
    if (before.pathname === pathname) return
    const main = document.getElementById('main')
    const href = navigationType === 'POP' ? leftFrom.current.get(key) : undefined
    const link = href && document.querySelector<HTMLElement>(`a[href="${CSS.escape(href)}"]`)
    const named = document.getElementById((state as { focusId?: string } | null)?.focusId ?? '')
    const target = link || named || main?.querySelector<HTMLElement>('h1') || main
    if (!target) return
    if (!link && !named) target.tabIndex = -1
    target.focus({ preventScroll: true })
  }, [key, pathname, state, navigationType])
}
