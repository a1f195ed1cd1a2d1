import type { FormEventHandler, ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { prepareRules } from './lazy-rules.ts'
import './settings-form.css'

type SettingsFormProps = {
  onSubmit: FormEventHandler
  busy: boolean
  /** What the button says. */
  action: string
  children: ReactNode
}

export function SettingsForm({ onSubmit, busy, action, children }: SettingsFormProps) {
  return (
    <form className="settings-form" noValidate onFocus={prepareRules} onSubmit={onSubmit}>
      {children}
      <Button type="submit" variant="secondary" busy={busy}>
        {action}
      </Button>
    </form>
  )
}
