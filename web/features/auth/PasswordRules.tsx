import { passwordRules } from '../../../packages/contract/password-rules.ts'
import { Icon } from '../../platform/ui/Icon.tsx'
import { Row } from '../../platform/ui/layout.tsx'

/** The rules for a new password, checked while the user types. */
export function PasswordRules({ password }: { password: string }) {
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
