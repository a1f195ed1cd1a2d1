import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import { Icon, type IconName } from './Icon.tsx'
import { classNames } from './layout.tsx'
import './button.css'

type Look = {
  /** By default a link and the button that submits a form are primary, other buttons secondary. */
  variant?: 'primary' | 'secondary' | 'ghost' | 'danger'
  /** `square` is for a single icon. */
  size?: 'medium' | 'small' | 'square'
  icon?: IconName | undefined
}

const look = ({ variant = 'primary', size = 'medium' }: Look, className?: string) =>
  classNames('button', `button-${variant}`, size !== 'medium' && `button-${size}`, className)

type ButtonProps = Look & ComponentProps<'button'> & { busy?: boolean }

/**
 * While `busy` it cannot be pressed, keeps its width and focus, and is announced as busy. With `busy`, a double click
 * counts once, because its second click may come before `busy` is true.
 */
export const Button = ({ variant, size, icon, busy, className, children, onClick, ...rest }: ButtonProps) => (
  <button
    type="button"
    {...rest}
    className={look({ variant: variant ?? (rest.type === 'submit' ? 'primary' : 'secondary'), size }, className)}
    aria-busy={busy || undefined}
    aria-disabled={busy || rest.disabled || undefined}
    onClick={(event) => (busy || (busy === false && isRepeated(event)) ? event.preventDefault() : onClick?.(event))}
  >
    {busy ? <Icon name="loader-circle" className="button-spinner" /> : icon && <Icon name={icon} />}
    {children}
  </button>
)

/** Whether it is not the first click of a double click, as some users do on every button. */
export const isRepeated = ({ detail }: Pick<MouseEvent, 'detail'>): boolean => detail > 1

type IconButtonProps = Omit<ButtonProps, 'icon' | 'children'> & { icon: IconName; label: string }

/** A button with an icon only; the label is its accessible name and its tooltip. */
export const IconButton = ({ icon, label, ...rest }: IconButtonProps) => (
  <Button variant="ghost" size="square" icon={icon} aria-label={label} title={label} {...rest} />
)

type ButtonLinkProps = Look & ComponentProps<typeof Link>

export const ButtonLink = ({ variant, size, icon, className, children, ...rest }: ButtonLinkProps) => (
  <Link {...rest} className={look({ variant, size }, className)}>
    {icon && <Icon name={icon} />}
    {children}
  </Link>
)

/** A link in running text. */
export const TextLink = (link: ComponentProps<typeof Link>) => <Link {...link} className="link" />
