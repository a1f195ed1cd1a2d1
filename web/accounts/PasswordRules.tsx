import { passwordRules } from '../../contract/password-rules.ts'
import { Icon } from '../ui/Icon.tsx'
import './password-rules.css'

/** What a new password needs, ticked off while it is typed. */
export function PasswordRules({ password }: { password: string }) {
  return (
    <span className="password-rules">
      {passwordRules.map(({ text, isMet }) => {
        const met = isMet(password.trim())
        return (
          <span key={text} className="password-rules-rule" data-met={met}>
            <Icon name={met ? 'check' : 'dot'} />
            {text}
            {met && <span className="visually-hidden">, done</span>}
          </span>
        )
      })}
    </span>
  )
}
