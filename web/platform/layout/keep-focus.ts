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
