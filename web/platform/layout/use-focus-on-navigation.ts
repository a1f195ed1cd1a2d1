import { useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/**
 * Focuses the heading of a new page, so that a screen reader announces it. Going back focuses the link that was
 * followed; `focusId` in the history state names another target. A change of the query string is not a new page.
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
    // In the capture phase, because the router handles the click when it bubbles.
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

/** Several links may share an address: a note's title and its matching passage. */
const findLinksTo = (href: string) => [...document.querySelectorAll<HTMLElement>(`a[href="${CSS.escape(href)}"]`)]
