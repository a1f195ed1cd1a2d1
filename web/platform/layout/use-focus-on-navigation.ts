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
  const leftFrom = useRef(new Map<string, { href: string; at: number }>())

  useEffect(() => {
    const rememberLink = (event: MouseEvent) => {
      const link = (event.target as Element | null)?.closest?.<HTMLElement>('a[href]')
      const href = link?.getAttribute('href')
      if (link && href) leftFrom.current.set(current.current.key, { href, at: findLinksTo(href).indexOf(link) })
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
    const left = navigationType === 'POP' ? leftFrom.current.get(key) : undefined
    const links = left ? findLinksTo(left.href) : []
    const link = links[left?.at ?? 0] ?? links[0]
    const named = document.getElementById((state as { focusId?: string } | null)?.focusId ?? '')
    const target = link || named || main?.querySelector<HTMLElement>('h1') || main
    if (!target) return
    if (!link && !named) target.tabIndex = -1
    target.focus({ preventScroll: true })
  }, [key, pathname, state, navigationType])
}

/** Several may have one address: a note's title, and the passage of it that a search found. */
const findLinksTo = (href: string) => [...document.querySelectorAll<HTMLElement>(`a[href="${CSS.escape(href)}"]`)]
