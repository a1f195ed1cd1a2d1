import type { ComponentProps } from 'react'
import { Field, type FieldText } from './Field.tsx'
import './field.css'
import './text-area.css'

type TextAreaProps = FieldText & Omit<ComponentProps<'textarea'>, keyof FieldText>

/** A labelled text of several lines. */
export function TextArea({ label, error, hint, optional, className, id, ...rest }: TextAreaProps) {
  return (
    <Field {...{ label, error, hint, optional, className, id }}>
      {(tied) => <textarea rows={4} {...rest} {...tied} className="field-input text-area" />}
    </Field>
  )
}
