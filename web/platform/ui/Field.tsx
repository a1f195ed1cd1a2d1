import { type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'
import { Icon } from './Icon.tsx'
import './field.css'
import { Text } from './layout.tsx'

export type FieldText = {
  label: string
  /** The error, which is announced with the input. */
  error?: string | undefined
  hint?: ReactNode
  /** Marks an optional field. */
  optional?: boolean
}

type FieldProps = FieldText & {
  id?: string | undefined
  className?: string | undefined
  children: (input: {
    id: string
    'aria-describedby': string | undefined
    'aria-invalid': true | undefined
  }) => ReactNode
}

export const FieldError = ({ id, children }: { id: string | undefined; children: string }) => (
  <Text tone="danger" size="small" id={id} className="field-error">
    <Icon name="circle-exclamation-point" size={1} />
    {children}
  </Text>
)

/** The frame of every input: label, hint and error, linked by ids. */
export function Field({ label, error, hint, optional, id: givenId, className, children }: FieldProps) {
  const ownId = useId()
  const id = givenId ?? ownId
  const hintId = hint ? `${id}-hint` : undefined
  const errorId = error ? `${id}-error` : undefined
  return (
    <div className={classNames('field', className)}>
      <label htmlFor={id} className="field-label">
        {label}
        {optional && <span className="text-faint text-light"> (optional)</span>}
      </label>
      {children({
        id,
        'aria-describedby': [errorId, hintId].filter(Boolean).join(' ') || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {error && <FieldError id={errorId}>{error}</FieldError>}
      {hint && (
        <Text tone="faint" size="small" id={hintId}>
          {hint}
        </Text>
      )}
    </div>
  )
}
