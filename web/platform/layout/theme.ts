import { useSyncExternalStore } from 'react'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** Read before the first paint by public/theme.js as well. */
const storageKey = 'lectern-theme'
const listeners = new Set<() => void>()

const asTheme = (value: string | null | undefined): Theme => (value === 'light' || value === 'dark' ? value : 'system')

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, () => asTheme(document.documentElement.dataset.theme))
}

/** Shows the theme at once, here and in the other tabs, and keeps it for the next visit where storage allows. */
export function chooseTheme(theme: Theme): void {
  try {
    if (theme === 'system') localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, theme)
  } catch {
    // Storage is switched off: the choice holds until the page is left.
  }
  apply(theme)
}

function apply(theme: Theme) {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  const followOtherTab = (event: StorageEvent) => {
    if (event.key === storageKey || event.key === null) apply(asTheme(event.newValue))
  }
  listeners.add(listener)
  window.addEventListener('storage', followOtherTab)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', followOtherTab)
  }
}
