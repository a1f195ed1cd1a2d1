import { Monitor, Moon, Sun } from 'lucide-react'
import { useId } from 'react'
import { chooseTheme, type Theme, themes, useTheme } from './theme.ts'
import './theme-choices.css'

export const themeLooks: Record<Theme, { label: string; Icon: typeof Sun }> = {
  system: { label: 'System', Icon: Monitor },
  light: { label: 'Light', Icon: Sun },
  dark: { label: 'Dark', Icon: Moon },
}

/** For a fieldset: the themes, of which one is chosen. */
export function ThemeChoices() {
  // The navigation bar's and that of a page are groups apart.
  const name = useId()
  const chosen = useTheme()
  return themes.map((theme) => {
    const { label, Icon } = themeLooks[theme]
    return (
      <label key={theme} className="theme-choices-choice">
        <input type="radio" name={name} value={theme} checked={theme === chosen} onChange={() => chooseTheme(theme)} />
        <Icon aria-hidden="true" />
        {label}
      </label>
    )
  })
}
