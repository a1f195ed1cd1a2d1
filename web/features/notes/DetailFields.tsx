import type { ComponentProps } from 'react'
import { Checkbox } from '../../platform/ui/Checkbox.tsx'
import { SuggestField } from '../search/SuggestField.tsx'
import type { SuggestionKind } from '../search/use-suggestions.ts'

type DetailFieldProps = Omit<ComponentProps<typeof SuggestField>, 'kinds'>

const courses: SuggestionKind[] = ['courses']
const instructors: SuggestionKind[] = ['instructors']

/** A note's course, with the codes there are. */
export const CourseCodeField = (field: DetailFieldProps) => (
  <SuggestField kinds={courses} autoComplete="off" autoCapitalize="characters" spellCheck={false} {...field} />
)

/** A note's instructor, where one is named. */
export const InstructorField = (field: DetailFieldProps) => (
  <SuggestField kinds={instructors} optional autoComplete="off" {...field} />
)

/** Whether others are told who shared a note. */
export const AnonymousField = (field: Omit<ComponentProps<typeof Checkbox>, 'label' | 'hint'>) => (
  <Checkbox
    label="Display Anonymously"
    hint="Others will not see your name, and author details hidden inside the PDF are removed."
    {...field}
  />
)

type FormField = { value?: string | undefined; onChange: (value: string) => void }

/** What a form keeps of a field, as these two take it. */
export const asTyped = <F extends FormField>({ onChange, value = '', ...field }: F) => ({
  ...field,
  value,
  onValueChange: onChange,
})
