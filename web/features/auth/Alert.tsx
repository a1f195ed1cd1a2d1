import type { ComponentProps } from 'react'
import { classNames } from '../../platform/ui/class-names.ts'
import { Icon } from '../../platform/ui/Icon.tsx'
import './alert.css'

type NoticeProps = ComponentProps<'div'> & { kind: 'error' | 'mail' | 'result' }

/** Something to know about the whole form. An error's toast has been read out already; what is new is a status. */
export const Alert = ({ kind, children, className, ...rest }: NoticeProps) => (
  <div
    role={kind === 'mail' ? 'status' : undefined}
    {...rest}
    className={classNames('notice', kind === 'error' && 'notice-error', className)}
  >
    <Icon name={kind === 'mail' ? 'mail-check' : 'circle-exclamation-point'} />
    <div>{children}</div>
  </div>
)
