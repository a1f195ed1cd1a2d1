import { useState } from 'react'
import { logInWithCode } from '../../../packages/contract/two-factor.endpoints.ts'
import { codeForm } from '../../../packages/contract/two-factor.ts'
import { ApiError, api } from '../../platform/api/client.ts'
import { session, useSession } from '../../platform/session/store.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { TextField } from '../../platform/ui/fields.tsx'
import { Stack } from '../../platform/ui/layout.tsx'
import { displayMessage, showFormError } from './form-errors.ts'
import { clearVisitorState } from './return-to.ts'
import { useApiForm } from './use-api-form.tsx'

const kinds = {
  app: {
    label: 'Authentication code',
    hint: 'The 6-digit code from your authenticator app.',
    inputMode: 'numeric',
    autoComplete: 'one-time-code',
    other: 'Use a recovery code',
  },
  recovery: {
    label: 'Recovery code',
    hint: 'One of your saved recovery codes. Each works once.',
    inputMode: 'text',
    autoComplete: 'off',
    other: 'Use my authenticator app',
  },
} as const

type TwoFactorFormProps = {
  /** Called with the reason when the password has to be entered again. */
  onOver: (message: string) => void
}

export function TwoFactorForm({ onOver }: TwoFactorFormProps) {
  const [kind, setKind] = useState<keyof typeof kinds>('app')
  const { other, ...input } = kinds[kind]
  const isLoading = useSession((state) => state.isLoading)
  const { form, submit, field } = useApiForm(codeForm, { code: '' }, async (body, form) => {
    const outcome = await session.enter(api.call(logInWithCode, { body }))
    if (outcome.ok) return clearVisitorState()
    const message = showFormError(form, outcome.error, displayMessage(session.getState().message))
    session.reset()
    if (outcome.error instanceof ApiError && outcome.error.code === 'login_step_over') onOver(message)
  })

  function change() {
    setKind(kind === 'app' ? 'recovery' : 'app')
    form.reset()
  }

  return (
    <Stack as="form" gap={1.125} top={1.5} noValidate onSubmit={submit}>
      {/* The previous form or field is removed, and the focus is lost with it. */}
      <TextField
        key={kind}
        autoFocus
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        {...input}
        {...field('code')}
      />
      <Button type="submit" busy={isLoading}>
        Login
      </Button>
      <Button variant="ghost" onClick={change}>
        {other}
      </Button>
    </Stack>
  )
}
