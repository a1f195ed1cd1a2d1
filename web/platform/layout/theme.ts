import { useSyncExternalStore } from 'react'
import { store } from '../storage.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** Also read by public/theme.js before the first paint. */
const storageKey = 'lectern-theme'
const listeners = new Set<() => void>()

const asTheme = (value: string | null | undefined): Theme => (value === 'light' || value === 'dark' ? value : 'system')

export function useTheme(): Theme {
  const get = () => asTheme(document.documentElement.dataset.theme)
  return useSyncExternalStore(subscribe, get, () => 'system')
}

/** Applies the theme immediately, in all tabs, and stores it if possible. */
export function chooseTheme(theme: Theme): void {
  store(storageKey, theme === 'system' ? null : theme)
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
