import type { ComponentProps } from 'react'
import { passwordRules } from '../../../packages/contract/password-rules.ts'
import { PasswordField } from '../../platform/ui/fields.tsx'
import { Icon } from '../../platform/ui/Icon.tsx'
import { Row } from '../../platform/ui/layout.tsx'

type NewPasswordFieldsProps = {
  label: string
  typed: string
  field: (name: 'password' | 'confirmPassword') => Partial<ComponentProps<typeof PasswordField>>
}

export const NewPasswordFields = ({ label, typed, field }: NewPasswordFieldsProps) => (
  <>
    <PasswordField
      {...field('password')}
      label={label}
      autoComplete="new-password"
      hint={<PasswordRules password={typed} />}
    />
    <PasswordField {...field('confirmPassword')} label="Confirm Password" autoComplete="new-password" />
  </>
)

const PasswordRules = ({ password }: { password: string }) => (
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
