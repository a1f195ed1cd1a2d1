import { useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/**
 * Keeps the place of keyboards and screen readers when the focused element is removed, such as a button that replaces
 * itself: the heading of its section takes the focus, without one its nearest ancestor that is left, or the page's heading.
 * Code that knows a better place, such as a closing dialog, moves the focus earlier.
 */
export function keepFocus(): void {
  /** The element that had the focus last, followed by its ancestors. */
  let path: HTMLElement[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  document.addEventListener('focusin', ({ target }) => {
    clearTimeout(timer)
    path = []
    for (let each = target as HTMLElement | null; each && each !== document.body; each = each.parentElement)
      path.push(each)
  })
  const isLost = () => document.activeElement === document.body && path[0]?.isConnected === false
  function restore(): void {
    if (!isLost()) return
    const left = path.find((each) => each.isConnected)
    const title = document.querySelector<HTMLElement>('main h1')
    const sectionTitleId = left?.closest('section[aria-labelledby]')?.getAttribute('aria-labelledby') ?? ''
    const target = document.getElementById(sectionTitleId) ?? (left?.contains(title) ? title : (left ?? title))
    if (!target) return
    target.tabIndex = -1
    target.focus({ preventScroll: true })
  }
  new MutationObserver(() => {
    if (!isLost()) return
    clearTimeout(timer)
    timer = setTimeout(restore, graceMs)
  }).observe(document.body, { childList: true, subtree: true })
}

/** The time in which other code may move the focus itself. */
const graceMs = 100

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
