import { useId, useSyncExternalStore } from 'react'
import { store } from '../storage.ts'
import { Icon, type IconName } from '../ui/Icon.tsx'
import './theme-choices.css'

const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

/** Also read by index.html before the first paint. */
const storageKey = 'lectern-theme'
const listeners = new Set<() => void>()

const asTheme = (value: string | null | undefined): Theme => (value === 'light' || value === 'dark' ? value : 'system')

export function useTheme(): Theme {
  const get = () => asTheme(document.documentElement.dataset.theme)
  return useSyncExternalStore(subscribe, get, () => 'system')
}

/** Applies the theme immediately, in all tabs, and stores it if possible. */
function chooseTheme(theme: Theme): void {
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

export const themeLooks: Record<Theme, { label: string; icon: IconName }> = {
  system: { label: 'System', icon: 'monitor' },
  light: { label: 'Light', icon: 'sun' },
  dark: { label: 'Dark', icon: 'moon' },
}

export function ThemeChoices() {
  // The navigation bar and a page need separate radio groups.
  const name = useId()
  const chosen = useTheme()
  return themes.map((theme) => {
    const { label, icon } = themeLooks[theme]
    return (
      <label key={theme} className="row menu-item theme-choices-choice">
        <input type="radio" name={name} value={theme} checked={theme === chosen} onChange={() => chooseTheme(theme)} />
        <Icon name={icon} />
        {label}
      </label>
    )
  })
}
