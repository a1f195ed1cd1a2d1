import type { ReactNode } from 'react'
import { classes } from '../ui/classes.ts'
import { Icon } from '../ui/Icon.tsx'
import './notice.css'

/** Something to know about the whole form. An error's toast has been read out already; what is new is a status. */
export function Notice({ kind, children }: { kind: 'error' | 'mail'; children: ReactNode }) {
  return (
    <div
      className={classes('notice', kind === 'error' && 'notice-error')}
      role={kind === 'mail' ? 'status' : undefined}
    >
      <Icon name={kind === 'error' ? 'circle-exclamation-point' : 'mail-check'} />
      <div>{children}</div>
    </div>
  )
}
