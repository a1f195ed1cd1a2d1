import { type RefObject, useEffect, useRef } from 'react'
import { useNavigationType } from 'react-router'
import { isMobile } from '../../../platform/ui/is-mobile.ts'

/**
 * After a search, a phone scrolls to the title of the results, because the form is above it. Going back restores the
 * previous scroll position instead.
 */
export function useScrollToResults(title: RefObject<HTMLElement | null>, isSearching: boolean): void {
  const isBack = useNavigationType() === 'POP'
  const wasSearching = useRef(false)
  useEffect(() => {
    const isOver = wasSearching.current && !isSearching
    wasSearching.current = isSearching
    if (!isOver || isBack || title.current === null) return
    // The pressed element may have disappeared with the previous search.
    if (isMobile() || document.activeElement === document.body) {
      title.current.setAttribute('tabindex', '-1')
      title.current.focus({ preventScroll: true })
    }
    if (isMobile()) title.current.scrollIntoView()
  }, [title, isSearching, isBack])
}
