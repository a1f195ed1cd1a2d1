import { useId } from 'react'
import { Icon, type IconName } from '../ui/Icon.tsx'
import { chooseTheme, type Theme, themes, useTheme } from './theme.ts'
import './theme-choices.css'

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
