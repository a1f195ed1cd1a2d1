import type { UseFormRegisterReturn } from 'react-hook-form'
import { passwordRules } from '../../../packages/contract/password-rules.ts'
import { Icon } from '../../platform/ui/Icon.tsx'
import { Row } from '../../platform/ui/layout.tsx'
import { PasswordField } from '../../platform/ui/PasswordField.tsx'

type Part = { input: UseFormRegisterReturn; error: string | undefined }
type NewPasswordFieldsProps = { label: string; typed: string; password: Part; confirmPassword: Part }

/** A new password, its confirmation and the rules. */
export function NewPasswordFields({ label, typed, password, confirmPassword }: NewPasswordFieldsProps) {
  return (
    <>
      <PasswordField
        label={label}
        autoComplete="new-password"
        hint={<PasswordRules password={typed} />}
        error={password.error}
        {...password.input}
      />
      <PasswordField
        label="Confirm Password"
        autoComplete="new-password"
        error={confirmPassword.error}
        {...confirmPassword.input}
      />
    </>
  )
}

/** The rules for a new password, checked while the user types. */
function PasswordRules({ password }: { password: string }) {
  return (
    <Row as="span" gap={[0.125, 0.875]}>
      {passwordRules.map(({ text, isMet }) => {
        const met = isMet(password.trim())
        return (
          <Row as="span" key={text} gap={0.25} tone={met ? 'success' : undefined}>
            <Icon name={met ? 'check' : 'dot'} size={0.875} />
            {text}
            {met && <span className="visually-hidden">, met</span>}
          </Row>
        )
      })}
    </Row>
  )
}
