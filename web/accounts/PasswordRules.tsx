import { Check, Dot } from 'lucide-react'
import { passwordRules } from '../../contract/password-rules.ts'
import './password-rules.css'

/** What a new password needs, ticked off while it is typed. */
export function PasswordRules({ password }: { password: string }) {
  return (
    <span className="password-rules">
      {passwordRules.map(({ text, isMet }) => {
        const met = isMet(password.trim())
        const Icon = met ? Check : Dot
        return (
          <span key={text} className="password-rules-rule" data-met={met}>
            <Icon aria-hidden="true" />
            {text}
            {met && <span className="visually-hidden">, done</span>}
          </span>
        )
      })}
    </span>
  )
}
