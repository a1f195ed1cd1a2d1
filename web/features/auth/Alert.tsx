import type { ComponentProps } from 'react'
import { Icon } from '../../platform/ui/Icon.tsx'
import { classNames } from '../../platform/ui/layout.tsx'
import './alert.css'

type AlertProps = ComponentProps<'div'> & { kind: 'error' | 'mail' | 'result' }

/** A message about the whole form. Kind `mail` is a status; an error's toast has been announced already. */
export const Alert = ({ kind, children, className, ...rest }: AlertProps) => (
  <div
    role={kind === 'mail' ? 'status' : undefined}
    {...rest}
    className={classNames('text-medium alert', kind === 'error' && 'alert-error', className)}
  >
    <Icon name={kind === 'mail' ? 'mail-check' : 'circle-exclamation-point'} />
    <div className="text">{children}</div>
  </div>
)
