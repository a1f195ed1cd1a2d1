import type { ComponentProps } from 'react'
import { Field, type FieldText } from './Field.tsx'
import './field.css'

type TextFieldProps = FieldText & Omit<ComponentProps<'input'>, keyof FieldText>

/** A labelled single-line input. `className` goes to the frame, all other props to the input. */
export function TextField({ label, error, hint, optional, className, id, ...rest }: TextFieldProps) {
  return (
    <Field {...{ label, error, hint, optional, className, id }}>
      {(inputProps) => <input type="text" {...rest} {...inputProps} className="field-input" />}
    </Field>
  )
}
