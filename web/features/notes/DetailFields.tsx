import type { ComponentProps } from 'react'
import { Checkbox } from '../../platform/ui/Checkbox.tsx'
import { SuggestField } from '../search/SuggestField.tsx'
import type { SuggestionKind } from '../search/use-suggestions.ts'

type DetailFieldProps = Omit<ComponentProps<typeof SuggestField>, 'kinds'>

const courses: SuggestionKind[] = ['courses']
const instructors: SuggestionKind[] = ['instructors']

export const CourseCodeField = (field: DetailFieldProps) => (
  <SuggestField kinds={courses} autoComplete="off" autoCapitalize="characters" spellCheck={false} {...field} />
)

export const InstructorField = (field: DetailFieldProps) => (
  <SuggestField kinds={instructors} optional autoComplete="off" {...field} />
)

export const AnonymousField = (field: Omit<ComponentProps<typeof Checkbox>, 'label' | 'hint'>) => (
  <Checkbox label="Display Anonymously" hint="Hides your name and removes author details from the PDF." {...field} />
)

type FormField = { value?: string | undefined; onChange: (value: string) => void }

/** Converts a form library's field to the `value` and `onValueChange` props of these two fields. */
export const asTyped = <F extends FormField>({ onChange, value = '', ...field }: F) => ({
  ...field,
  value,
  onValueChange: onChange,
})
