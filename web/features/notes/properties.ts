import type { DetailName, Note } from '../../../packages/contract/notes.ts'
import type { IconName } from '../../platform/ui/Icon.tsx'
import type { SuggestionKind } from '../search/SuggestInput.tsx'

type Choice = { value: string; label: string }
export type Property = {
  label: string
  /** The label beside its value, if it is another one. */
  fact?: string
  /** Stands for the label on a card, whose first line has course and year. */
  icon?: IconName
  isRequired?: boolean
  /** A text field that suggests these; without them it is a select field. */
  suggestions?: SuggestionKind[]
  isCode?: boolean
  /** The values of a select field. */
  choices?: 'years' | Choice[]
}

/** What authors say about a note, in the order of forms and cards. Forms, facts and requests derive from these. */
export const properties: Record<DetailName, Property> = {
  courseCode: { label: 'Course Code', fact: 'Course', isRequired: true, suggestions: ['courses'], isCode: true },
  academicYear: { label: 'Academic year', isRequired: true, choices: 'years' },
  instructor: { label: 'Instructor', icon: 'graduation-cap', suggestions: ['instructors'] },
}
export const detailNames = Object.keys(properties) as DetailName[]

/** The details of a form; an empty text is a detail that is not given. */
export type Details = Record<DetailName, string>

const detailsBy = (read: (name: DetailName) => string) =>
  Object.fromEntries(detailNames.map((name) => [name, read(name)])) as Details

export const detailsOf = (note: Partial<Note>): Details => detailsBy((name) => note[name] ?? '')

/** The values that all notes share; empty where they differ. */
export const commonDetails = (notes: Note[]): Details =>
  detailsBy((name) => (differs(notes, name) ? '' : (notes[0]?.[name] ?? '')))

/** Whether the notes differ in a property, so that its empty value means "unchanged". */
export const differs = (notes: Note[], name: DetailName | 'isAnonymous'): boolean =>
  new Set(notes.map((note) => note[name] ?? '')).size > 1

export function textOf(name: string, value: string): string {
  const choices = name in properties ? properties[name as DetailName].choices : undefined
  return (Array.isArray(choices) && choices.find((choice) => choice.value === value)?.label) || value
}

/** The facts of a note, for its card, the reader and moderators. The text is null if the author has not given it. */
export const factsOf = (note: Note) =>
  detailNames.map((name) => {
    const { label, fact = label, icon } = properties[name]
    const value = note[name]
    return { name, icon, label: fact, text: value === undefined ? null : textOf(name, value) }
  })
