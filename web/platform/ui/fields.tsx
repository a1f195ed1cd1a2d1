import { type ChangeEvent, type ComponentProps, type ReactNode, useId, useState } from 'react'
import { cleanText, countCharacters } from '../../../packages/contract/clean-text.ts'
import { Icon } from './Icon.tsx'
import { classNames, Text } from './layout.tsx'
import './fields.css'

/** Lower-cases the value of an input and keeps the caret position. */
function lowerCaseInPlace(input: HTMLInputElement): void {
  const lowered = input.value.toLowerCase()
  if (lowered === input.value) return
  const { selectionStart, selectionEnd } = input
  input.value = lowered
  input.setSelectionRange(selectionStart, selectionEnd)
}

export type FieldText = {
  label: string
  error?: string | undefined
  hint?: ReactNode
  optional?: boolean
}

type Tag = 'input' | 'select' | 'textarea'
/** `className` goes to the frame, all other props to the input. */
type FieldProps<T extends Tag> = FieldText & Omit<ComponentProps<T>, keyof FieldText | 'children'>

/** The error and the hint of an input, and the props that link the input to them. */
function useNotes({ id: givenId, error, hint }: Pick<FieldText, 'error' | 'hint'> & { id: string | undefined }) {
  const ownId = useId()
  const id = givenId ?? ownId
  const input = {
    id,
    'aria-describedby': [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined,
    'aria-invalid': error ? true : undefined,
  }
  const notes = (
    <>
      {error && (
        <Text tone="danger" size="small" id={`${id}-error`} className="field-error">
          <Icon name="circle-exclamation-point" size={1} />
          {error}
        </Text>
      )}
      {hint && (
        <Text tone="faint" size="small" id={`${id}-hint`}>
          {hint}
        </Text>
      )}
    </>
  )
  return { input, notes }
}

/** The frame of every input: label, hint and error, linked by ids. `children` renders the input with its props. */
export function Field<T extends Tag>({
  label,
  error,
  hint,
  optional,
  id,
  className,
  children,
  ...rest
}: FieldProps<T> & { children: (input: ComponentProps<T>) => ReactNode }) {
  const { input, notes } = useNotes({ id, error, hint })
  return (
    <div className={classNames('field', className)}>
      <label htmlFor={input.id} className="field-label">
        {label}
        {optional && <span className="text-faint text-light"> (optional)</span>}
      </label>
      {children({ ...rest, ...input } as unknown as ComponentProps<T>)}
      {notes}
    </div>
  )
}

export const TextField = (field: FieldProps<'input'>) => (
  <Field<'input'> {...field}>{(input) => <input type="text" {...input} className="field-input" />}</Field>
)

/** An email address, lower-cased while typed. Set `autoComplete` for password managers. */
export const EmailField = ({ onChange, label = 'Email', ...field }: Partial<FieldProps<'input'>>) => (
  <TextField
    // Not type="email": browsers then hide the caret position, which lower-casing has to restore.
    inputMode="email"
    autoCapitalize="none"
    autoCorrect="off"
    spellCheck={false}
    {...field}
    label={label}
    onChange={(event: ChangeEvent<HTMLInputElement>) => {
      lowerCaseInPlace(event.target)
      onChange?.(event)
    }}
  />
)

/** A password with a reveal button. Set `autoComplete` for password managers. */
export function PasswordField(field: FieldProps<'input'>) {
  const [shown, setShown] = useState(false)
  return (
    <Field<'input'> autoCapitalize="none" autoCorrect="off" spellCheck={false} {...field}>
      {(input) => (
        <div className="password-field">
          <input {...input} type={shown ? 'text' : 'password'} className="field-input" />
          <button
            type="button"
            className="password-field-toggle"
            aria-label={`${shown ? 'Hide' : 'Show'} ${field.label.toLowerCase()}`}
            aria-pressed={shown}
            aria-controls={input.id}
            disabled={input.disabled}
            onClick={() => setShown(!shown)}
          >
            <Icon name={shown ? 'eye-off' : 'eye'} />
          </button>
        </div>
      )}
    </Field>
  )
}

type SelectFieldProps = FieldProps<'select'> & { options: { value: string; label: string }[] }

/** A native select, which works best on phones and with screen readers. */
export const SelectField = ({ options, ...field }: SelectFieldProps) => (
  <Field<'select'> {...field}>
    {(input) => (
      <div className="select-field">
        <select {...input} className="field-input">
          {options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <Icon name="chevron-down" />
      </div>
    )}
  </Field>
)

/** @param limit the maximum length of a controlled `value`, in characters. Near it the remaining count is shown. */
export function TextArea({ limit, ...field }: Omit<FieldProps<'textarea'>, 'maxLength'> & { limit?: number }) {
  const left = limit === undefined ? undefined : limit - countCharacters(cleanText(String(field.value)))
  return (
    <Field<'textarea'> {...field}>
      {(input) => (
        <>
          <textarea rows={4} {...input} className="field-input text-area" />
          {limit !== undefined && left !== undefined && left <= limit / 10 && (
            <Text aria-live="polite" tone={left < 0 ? 'danger' : 'faint'} size="small">
              {Math.abs(left)} {Math.abs(left) === 1 ? 'character' : 'characters'}{' '}
              {left < 0 ? 'over the limit' : 'left'}
            </Text>
          )}
        </>
      )}
    </Field>
  )
}

type CheckboxProps = Omit<ComponentProps<'input'>, 'type'> &
  Omit<FieldText, 'label' | 'optional'> & { label: ReactNode }

export function Checkbox({ label, hint, error, className, id, ...rest }: CheckboxProps) {
  const { input, notes } = useNotes({ id, error, hint })
  return (
    <div className={classNames('checkbox', className)}>
      <span className="checkbox-box">
        <input {...rest} {...input} type="checkbox" />
        <Icon name="check" strokeWidth={3} />
      </span>
      <div>
        <label htmlFor={input.id}>{label}</label>
        {notes}
      </div>
    </div>
  )
}

type RadioProps = Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode; hint: ReactNode }

/** An option in a fieldset, whose legend names the choice. */
export const Radio = ({ label, hint, ...rest }: RadioProps) => (
  <label className="radio">
    <input {...rest} type="radio" />
    <span>
      {label}
      <Text as="span" tone="soft" size="small">
        {hint}
      </Text>
    </span>
  </label>
)
