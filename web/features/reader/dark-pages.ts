import { useState } from 'react'

const storageKey = 'lectern-dark-pages'

/** Whether pages are shown light on dark, kept for the next visit where storage allows; and what changes it. */
export function useDarkPages(): [isDark: boolean, toggle: () => void] {
  const [isDark, setIsDark] = useState(read)
  return [
    isDark,
    () => {
      setIsDark(!isDark)
      try {
        if (isDark) localStorage.removeItem(storageKey)
        else localStorage.setItem(storageKey, 'true')
      } catch {
        // Storage is switched off: the choice holds until the reader is left.
      }
    },
  ]
}

function read(): boolean {
  try {
    return localStorage.getItem(storageKey) !== null
  } catch {
    return false
  }
}
