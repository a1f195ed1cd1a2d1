import type { ComponentProps } from 'react'
import { cleanText, countCharacters } from '../../../packages/contract/clean-text.ts'
import { Field, type FieldText } from './Field.tsx'
import './field.css'
import './text-area.css'
import { Text } from './layout.tsx'

type TextAreaProps = FieldText &
  Omit<ComponentProps<'textarea'>, keyof FieldText | 'maxLength'> & {
    /** The maximum length of a controlled `value`, in characters. Near it the remaining count is shown. */
    limit?: number
  }

export function TextArea({ label, error, hint, optional, className, id, limit, ...rest }: TextAreaProps) {
  const left = limit === undefined ? undefined : limit - countCharacters(cleanText(String(rest.value)))
  return (
    <Field {...{ label, error, hint, optional, className, id }}>
      {(inputProps) => (
        <>
          <textarea rows={4} {...rest} {...inputProps} className="field-input text-area" />
          {limit !== undefined && left !== undefined && left <= limit / 10 && (
            <Text aria-live="polite" tone={left < 0 ? 'danger' : 'faint'} size="small">
              {left < 0 ? `${-left} characters over the limit` : `${left} characters left`}
            </Text>
          )}
        </>
      )}
    </Field>
  )
}
