import { useId } from 'react'
import './navigation-bar.css'
import { Icon } from '../ui/Icon.tsx'
import { ThemeChoices, themeLooks } from './ThemeChoices.tsx'
import { useTheme } from './theme.ts'
import './theme-menu.css'

/** A native popover: opens above everything, closes on Esc and on a click beside it, and gives the focus back. */
export function ThemeMenu() {
  const id = useId()
  const { label, icon } = themeLooks[useTheme()]
  return (
    <>
      <button
        type="button"
        className="navigation-bar-link"
        popoverTarget={id}
        aria-label={`Theme: ${label}`}
        title="Theme"
      >
        <Icon name={icon} />
      </button>
      <fieldset id={id} popover="auto" className="popup theme-menu">
        <legend className="visually-hidden">Theme</legend>
        <ThemeChoices />
      </fieldset>
    </>
  )
}
