import { useEffect, useRef } from 'react'

/** Calls `onSlash` when `/` is pressed anywhere but where text is typed, and while no dialog is open. */
export function useSlashKey(onSlash: () => void): void {
  const latest = useRef(onSlash)
  useEffect(() => {
    latest.current = onSlash
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]')) return
      if (document.querySelector('[role="dialog"], [role="alertdialog"]') !== null) return
      event.preventDefault()
      latest.current()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}
