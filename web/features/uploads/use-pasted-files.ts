import { useEffect, useEffectEvent } from 'react'

/** Accepts files pasted anywhere on the page. Pasted text still goes to the focused field. */
export function usePastedFiles(isDisabled: boolean, onFiles: (files: File[]) => void): void {
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])]
    if (files.length === 0 || isDisabled) return
    event.preventDefault()
    onFiles(files)
  })
  useEffect(() => {
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [])
}
