import { useCallback, useLayoutEffect } from 'react'
import { useNavigate } from 'react-router'
import * as paths from '../../platform/paths.ts'
import { singleKeyShortcuts } from '../reader/preferences.ts'

/** The id of the full-text search box, on every page. */
export const searchBoxId = 'search-box'

/** Returns a function that focuses the search box of the page or its navigation bar, or else opens that of Browse. */
export function useGoToSearch(): () => void {
  const navigate = useNavigate()
  return useCallback(() => {
    const box = document.getElementById(searchBoxId)
    if (box === null) void navigate(paths.browse(), { state: { focusId: searchBoxId } })
    else box.focus()
  }, [navigate])
}

/**
 * Focuses the search box on Ctrl or Cmd and K, except while a dialog is open. `/` does the same, unless the user is
 * typing or has disabled single-key shortcuts.
 * @param isSignedIn visitors cannot search.
 */
export function useSearchKeys(isSignedIn: boolean): void {
  const goToSearch = useGoToSearch()
  // A layout effect attaches the listener before the page is painted, so that no early key press is lost.
  useLayoutEffect(() => {
    if (!isSignedIn) return
    const press = (event: KeyboardEvent) => {
      const isHeld = event.ctrlKey || event.metaKey
      const isK = isHeld && !event.shiftKey && event.key.toLowerCase() === 'k'
      const isSlash = !isHeld && event.key === '/' && isFreeForSlash(event.target)
      if (event.defaultPrevented || event.altKey || !(isK || isSlash)) return
      if (document.querySelector('[role="dialog"], [role="alertdialog"]') !== null) return
      event.preventDefault()
      goToSearch()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [isSignedIn, goToSearch])
}

const isFreeForSlash = (target: EventTarget | null) =>
  singleKeyShortcuts.get() === 'on' &&
  !(target instanceof Element && target.closest('input, textarea, select, [contenteditable]'))
