import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { Field, type FieldText } from './Field.tsx'

type PasswordFieldProps = FieldText & Omit<ComponentProps<'input'>, keyof FieldText | 'type'>

/** A labelled password that can be shown. Set `autoComplete`, so that password managers know which one it is. */
export function PasswordField({ label, error, hint, optional, className, id, ...rest }: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <Field {...{ label, error, hint, optional, className, id }}>
      {(tied) => (
        <div className="relative">
          <input
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            {...rest}
            {...tied}
            type={shown ? 'text' : 'password'}
            className="input pr-12"
          />
          <button
            type="button"
            className="input-action"
            aria-label={shown ? 'Hide password' : 'Show password'}
            aria-pressed={shown}
            aria-controls={tied.id}
            disabled={rest.disabled}
            onClick={() => setShown(!shown)}
          >
            <Icon aria-hidden="true" className="size-5" />
          </button>
        </div>
      )}
    </Field>
  )
}
