import type { ComponentProps, Ref } from 'react'
import { type Control, Controller, type FieldValues, type Path } from 'react-hook-form'
import type { DetailName } from '../../../packages/contract/notes.ts'
import { Checkbox, Field, type FieldText } from '../../platform/ui/fields.tsx'
import { SuggestInput, type SuggestInputProps } from '../search/SuggestInput.tsx'
import { ChoiceField } from './ChoiceField.tsx'
import { detailNames, properties } from './properties.ts'

type FieldProps = Partial<FieldText> & {
  value: string
  onValueChange: (value: string) => void
  onBlur?: () => void
  required?: boolean
  ref?: Ref<never>
}
/** `blank` is the text of a choice that leaves the detail as it is. */
type DetailFieldProps = FieldProps & { name: DetailName; blank?: string | undefined }

export function DetailField({ blank, ...field }: DetailFieldProps) {
  const { label, isRequired = false, suggestions, isCode, choices } = properties[field.name]
  if (choices !== undefined) {
    const none = blank ?? (isRequired ? undefined : 'Not given')
    return <ChoiceField label={label} optional={!isRequired} {...field} choices={choices} blank={none} />
  }
  return (
    <SuggestField
      kinds={suggestions ?? []}
      label={label}
      optional={!isRequired}
      autoComplete="off"
      {...(isCode && { autoCapitalize: 'characters', spellCheck: false })}
      {...field}
    />
  )
}

type FormDetailsProps<Values extends FieldValues, Context, Output> = {
  control: Control<Values, Context, Output>
  /** Differs by detail. */
  more?: (name: DetailName) => Pick<DetailFieldProps, 'blank' | 'hint' | 'required'>
}

export const FormDetails = <Values extends FieldValues, Context, Output>({
  control,
  more,
}: FormDetailsProps<Values, Context, Output>) =>
  detailNames.map((name) => (
    <Controller
      key={name}
      name={name as Path<Values>}
      control={control}
      render={({ field: { onChange, value = '', ...field }, fieldState }) => (
        <DetailField
          {...field}
          name={name}
          value={value}
          onValueChange={onChange}
          error={fieldState.error?.message}
          {...more?.(name)}
        />
      )}
    />
  ))

export const AnonymousField = (field: Omit<ComponentProps<typeof Checkbox>, 'label' | 'hint'>) => (
  <Checkbox label="Display Anonymously" hint="Hides your name and removes author details from the PDF." {...field} />
)

const SuggestField = ({ kinds, value, onValueChange, ...field }: FieldText & SuggestInputProps) => (
  <Field<'input'> {...field}>
    {(input) => <SuggestInput type="text" {...input} {...{ kinds, value, onValueChange }} className="field-input" />}
  </Field>
)
