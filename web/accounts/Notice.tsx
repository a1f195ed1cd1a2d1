import { CircleAlert, MailCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from '../ui/classes.ts'
import './notice.css'

/** Something to know about the whole form. An error's toast has been read out already; what is new is a status. */
export function Notice({ kind, children }: { kind: 'error' | 'mail'; children: ReactNode }) {
  const Icon = kind === 'error' ? CircleAlert : MailCheck
  return (
    <div
      className={classes('notice', kind === 'error' && 'notice-error')}
      role={kind === 'mail' ? 'status' : undefined}
    >
      <Icon aria-hidden="true" />
      <div>{children}</div>
    </div>
  )
}
