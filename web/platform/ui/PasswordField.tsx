import { type ComponentProps, useState } from 'react'
import { Field, type FieldText } from './Field.tsx'
import { Icon } from './Icon.tsx'
import './field.css'
import './password-field.css'

type PasswordFieldProps = FieldText & Omit<ComponentProps<'input'>, keyof FieldText | 'type'>

/** A labelled password field with a reveal button. Set `autoComplete` for password managers. */
export function PasswordField({ label, error, hint, optional, className, id, ...rest }: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  return (
    <Field {...{ label, error, hint, optional, className, id }}>
      {(inputProps) => (
        <div className="password-field">
          <input
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            {...rest}
            {...inputProps}
            type={shown ? 'text' : 'password'}
            className="field-input"
          />
          <button
            type="button"
            className="password-field-toggle"
            aria-label={`${shown ? 'Hide' : 'Show'} ${label.toLowerCase()}`}
            aria-pressed={shown}
            aria-controls={inputProps.id}
            disabled={rest.disabled}
            onClick={() => setShown(!shown)}
          >
            <Icon name={shown ? 'eye-off' : 'eye'} />
          </button>
        </div>
      )}
    </Field>
  )
}
