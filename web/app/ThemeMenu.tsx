import { useId } from 'react'
import './navigation-bar.css'
import { ThemeChoices, themeLooks } from '../platform/layout/ThemeChoices.tsx'
import { useTheme } from '../platform/layout/theme.ts'
import { Icon } from '../platform/ui/Icon.tsx'
import './theme-menu.css'

/** A native popover: it opens above everything, closes on Esc and on an outside click, and restores the focus. */
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
