import type { ComponentProps } from 'react'
import { Field, type FieldText } from './Field.tsx'
import { Icon } from './Icon.tsx'
import './field.css'
import './select-field.css'

type SelectFieldProps = FieldText &
  Omit<ComponentProps<'select'>, keyof FieldText | 'children'> & { options: { value: string; label: string }[] }

/** A labelled native select, which works best on phones and with screen readers. */
export function SelectField({ label, error, hint, optional, className, id, options, ...rest }: SelectFieldProps) {
  return (
    <Field {...{ label, error, hint, optional, className, id }}>
      {(inputProps) => (
        <div className="select-field">
          <select {...rest} {...inputProps} className="field-input">
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <Icon name="chevron-down" />
        </div>
      )}
    </Field>
  )
}
