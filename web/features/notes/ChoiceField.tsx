import { type ComponentProps, useState } from 'react'
import { useAcademicYears } from '../../platform/api/config.ts'
import { SelectField } from '../../platform/ui/fields.tsx'
import type { Property } from './properties.ts'

type ChoiceFieldProps = Omit<ComponentProps<typeof SelectField>, 'options' | 'onChange' | 'value'> & {
  choices: NonNullable<Property['choices']>
  /** The text of the empty choice, if there is one. */
  blank: string | undefined
  value: string
  onValueChange: (value: string) => void
}

export function ChoiceField({ choices, blank, value, onValueChange, ...field }: ChoiceFieldProps) {
  // A year that is no longer offered can be chosen again after another one was.
  const [first] = useState(value)
  const years = useAcademicYears(first || value)
  const offered = choices === 'years' ? years.map((year) => ({ value: year, label: year })) : choices
  return (
    <SelectField
      {...field}
      options={blank === undefined ? offered : [{ value: '', label: blank }, ...offered]}
      value={value}
      onChange={({ target }) => onValueChange(target.value)}
    />
  )
}
