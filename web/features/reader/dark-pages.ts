import { useState } from 'react'

const storageKey = 'lectern-dark-pages'

/** Whether pages are shown light on dark, stored in this browser if possible; and the function that toggles it. */
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
        // Storage is disabled: the choice lasts until the reader is closed.
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
