import { useLayoutEffect } from 'react'
import { useNavigate } from 'react-router'
import * as paths from '../../paths.ts'
import { singleKeys } from '../reader/single-keys.ts'

/** The one box, wherever it is shown. */
export const searchBoxId = 'search-box'

/**
 * For a student: `/` leads from anywhere to the one box, but where text is typed and while a dialog is open.
 * The student may have switched off single keys.
 * @param isSignedIn nobody else may search.
 */
export function useSlashKey(isSignedIn: boolean): void {
  const navigate = useNavigate()
  // As the page is painted, not a moment later: a key pressed in between would be lost.
  useLayoutEffect(() => {
    if (!isSignedIn) return
    const press = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (singleKeys.get() === 'off') return
      if (event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]')) return
      if (document.querySelector('[role="dialog"], [role="alertdialog"]') !== null) return
      event.preventDefault()
      const box = document.getElementById(searchBoxId)
      if (box === null) void navigate(paths.browse(), { state: { focusId: searchBoxId } })
      else box.focus()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [isSignedIn, navigate])
}
