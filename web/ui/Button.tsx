import { LoaderCircle } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'
import { classes } from './classes.ts'

type Look = {
  variant?: 'primary' | 'secondary' | 'ghost' | 'danger'
  size?: 'md' | 'sm'
  icon?: ReactNode
}

const variants = {
  primary: 'btn-primary',
  secondary: 'btn-secondary',
  ghost: 'btn-ghost',
  danger: 'btn-danger',
}

const look = ({ variant = 'primary', size = 'md' }: Look, className?: string) =>
  classes('btn', variants[variant], size === 'sm' && 'btn-sm', className)

type ButtonProps = Look & ComponentProps<'button'> & { busy?: boolean }

/** While `busy` it cannot be pressed again, keeps its width and its focus, and says so to assistive technology. */
export function Button({ variant, size, icon, busy = false, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={look({ variant, size }, className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest.disabled || undefined}
      onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
    >
      {busy ? <LoaderCircle className="btn-icon animate-spin" aria-hidden="true" /> : icon}
      {children}
    </button>
  )
}

type ButtonLinkProps = Look & ComponentProps<typeof Link>

/** A link within the app that looks like a button. */
export function ButtonLink({ variant, size, icon, className, children, ...rest }: ButtonLinkProps) {
  return (
    <Link {...rest} className={look({ variant, size }, className)}>
      {icon}
      {children}
    </Link>
  )
}
