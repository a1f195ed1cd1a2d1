import { type RefObject, useEffect, useRef } from 'react'
import { useNavigationType } from 'react-router'
import { isMobile } from '../../../platform/ui/is-mobile.ts'

/**
 * After a search a phone shows what it found, from its title on: the form is above it. Going back finds the place where
 * one was instead.
 */
export function useScrollToResults(title: RefObject<HTMLElement | null>, isSearching: boolean): void {
  const isBack = useNavigationType() === 'POP'
  const wasSearching = useRef(false)
  useEffect(() => {
    const isOver = wasSearching.current && !isSearching
    wasSearching.current = isSearching
    if (!isOver || isBack || title.current === null) return
    // What was pressed may be gone with the search before.
    if (isMobile() || document.activeElement === document.body) {
      title.current.setAttribute('tabindex', '-1')
      title.current.focus({ preventScroll: true })
    }
    if (isMobile()) title.current.scrollIntoView()
  }, [title, isSearching, isBack])
}
