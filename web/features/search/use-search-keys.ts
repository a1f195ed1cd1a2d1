import { useCallback, useLayoutEffect } from 'react'
import { useNavigate } from 'react-router'
import * as paths from '../../platform/paths.ts'
import { singleKeyShortcuts } from '../reader/single-key-shortcuts.ts'

/** The one box, wherever it is shown. */
export const searchBoxId = 'search-box'

/** Leads to the one box of the page or its navigation bar, and to the one of Browse from a page that has none. */
export function useGoToSearch(): () => void {
  const navigate = useNavigate()
  return useCallback(() => {
    const box = document.getElementById(searchBoxId)
    if (box === null) void navigate(paths.browse(), { state: { focusId: searchBoxId } })
    else box.focus()
  }, [navigate])
}

/**
 * For a student: Ctrl or Cmd and K lead from anywhere to the one box, but while a dialog is open. So does `/`, unless text is
 * typed or the student has switched off single keys.
 * @param isSignedIn nobody else may search.
 */
export function useSearchKeys(isSignedIn: boolean): void {
  const goToSearch = useGoToSearch()
  // As the page is painted, not a moment later: a key pressed in between would be lost.
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
