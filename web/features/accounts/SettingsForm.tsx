import type { FormEventHandler, ReactNode } from 'react'
import { Button } from '../../platform/ui/Button.tsx'
import { Stack } from '../../platform/ui/layout.tsx'

type SettingsFormProps = {
  onSubmit: FormEventHandler
  busy: boolean
  action: string
  children: ReactNode
}

export const SettingsForm = ({ onSubmit, busy, action, children }: SettingsFormProps) => (
  <Stack as="form" gap={1.125} align="flex-start" noValidate onSubmit={onSubmit}>
    {children}
    <Button type="submit" variant="secondary" busy={busy}>
      {action}
    </Button>
  </Stack>
)
