import { type ComponentProps, type ReactNode, useId } from 'react'
import { FieldError } from './Field.tsx'
import { Icon } from './Icon.tsx'
import './checkbox.css'
import { classNames } from './class-names.ts'
import { Text } from './layout.tsx'

type CheckboxProps = Omit<ComponentProps<'input'>, 'type'> & {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
}

export function Checkbox({ label, hint, error, className, id: givenId, ...rest }: CheckboxProps) {
  const ownId = useId()
  const id = givenId ?? ownId
  return (
    <div className={classNames('checkbox', className)}>
      <span className="checkbox-box">
        <input
          {...rest}
          id={id}
          type="checkbox"
          aria-describedby={[error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined}
          aria-invalid={error ? true : undefined}
        />
        <Icon name="check" strokeWidth={3} />
      </span>
      <div>
        <label htmlFor={id}>{label}</label>
        {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
        {hint && (
          <Text tone="faint" size="small" id={`${id}-hint`}>
            {hint}
          </Text>
        )}
      </div>
    </div>
  )
}
