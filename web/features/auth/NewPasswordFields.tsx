import type { UseFormRegisterReturn } from 'react-hook-form'
import { PasswordField } from '../../platform/ui/PasswordField.tsx'
import { PasswordRules } from './PasswordRules.tsx'

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
