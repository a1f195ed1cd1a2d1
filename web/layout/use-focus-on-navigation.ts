import { useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/**
 * A new page takes the focus to its heading, so that a screen reader reads where one is. Going back takes it to the
 * link that had led away. A change of the search alone is not a new page.
 */
export function useFocusOnNavigation(): void {
  const { key, pathname } = useLocation()
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
    const target = link || main?.querySelector<HTMLElement>('h1') || main
    if (!target) return
    if (!link) target.tabIndex = -1
    target.focus({ preventScroll: true })
  }, [key, pathname, navigationType])
}
