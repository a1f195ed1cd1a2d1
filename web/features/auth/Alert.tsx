import type { ComponentProps } from 'react'
import { classNames } from '../../platform/ui/class-names.ts'
import { Icon } from '../../platform/ui/Icon.tsx'
import './alert.css'

type AlertProps = ComponentProps<'div'> & { kind: 'error' | 'mail' | 'result' }

/** A message about the whole form. Kind `mail` is a status; an error's toast has been announced already. */
export const Alert = ({ kind, children, className, ...rest }: AlertProps) => (
  <div
    role={kind === 'mail' ? 'status' : undefined}
    {...rest}
    className={classNames('alert', kind === 'error' && 'alert-error', className)}
  >
    <Icon name={kind === 'mail' ? 'mail-check' : 'circle-exclamation-point'} />
    <div>{children}</div>
  </div>
)
