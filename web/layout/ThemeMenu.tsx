import { Monitor, Moon, Sun } from 'lucide-react'
import { useId } from 'react'
import './navigation-bar.css'
import { chooseTheme, themes, useTheme } from './theme.ts'
import './theme-menu.css'

const looks = {
  system: { label: 'System', Icon: Monitor },
  light: { label: 'Light', Icon: Sun },
  dark: { label: 'Dark', Icon: Moon },
}

/** A native popover: opens above everything, closes on Esc and on a click beside it, and gives the focus back. */
export function ThemeMenu() {
  const id = useId()
  const chosen = useTheme()
  const { Icon } = looks[chosen]
  return (
    <>
      <button
        type="button"
        className="navigation-bar-link"
        popoverTarget={id}
        aria-label={`Theme: ${looks[chosen].label}`}
        title="Theme"
      >
        <Icon aria-hidden="true" />
      </button>
      <fieldset id={id} popover="auto" className="theme-menu">
        <legend className="visually-hidden">Theme</legend>
        {themes.map((theme) => {
          const { label, Icon } = looks[theme]
          return (
            <label key={theme} className="theme-menu-choice">
              <input
                type="radio"
                name="theme"
                value={theme}
                checked={theme === chosen}
                onChange={() => chooseTheme(theme)}
              />
              <Icon aria-hidden="true" />
              {label}
            </label>
          )
        })}
      </fieldset>
    </>
  )
}
