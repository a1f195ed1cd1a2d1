import { useEffect, useEffectEvent } from 'react'

/** Takes files pasted anywhere on the page. Pasted text stays with the field it goes to. */
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
