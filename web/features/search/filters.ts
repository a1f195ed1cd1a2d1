import { cutLine } from '../../../packages/contract/clean-text.ts'
import type { CourseDetails } from '../../../packages/contract/courses.ts'
import { academicYear } from '../../../packages/contract/fields.ts'
import { courseCodeLength, instructorLength, titleLength } from '../../../packages/contract/limits.ts'
import type { FilterName } from '../../../packages/contract/search.ts'
import type { Property } from '../notes/properties.ts'

type Filter = Pick<Property, 'label' | 'isCode'> & {
  /** Returns a valid value, because addresses may be typed or truncated by a chat program. */
  clean: (typed: string) => string
  /** A select field with these values and one for any; without them it is a text field. */
  choices?: { of: NonNullable<Property['choices']>; any: string }
  /** Describes the filter, and without the name of its field on a button; the value itself if missing. */
  describe: (value: string) => string
  shown?: (value: string) => string
  /** Describes the search without this filter, which is tried in this order if nothing was found. */
  wider: { label: string; order: number }
  /** Offers the notes that have a text of another field in this one. */
  misplaced?: (notes: string, value: string) => string
  /** The values to choose on the page of a course. */
  inCourse?: { any: string; values: (details: Omit<CourseDetails, 'favourites'>) => string[] }
}

/** The filters of lists. Search bar, addresses, requests, descriptions and course pages derive from these. */
export const filters: Record<FilterName, Filter> = {
  title: {
    label: 'Title',
    clean: (typed) => cutLine(typed, titleLength.max),
    describe: (title) => `the title “${title}”`,
    shown: (title) => `“${title}”`,
    wider: { label: 'Search any title', order: 3 },
    misplaced: (notes, title) => `Show ${notes} with ${title} in the title`,
  },
  courseCode: {
    label: 'Course code',
    isCode: true,
    clean: (typed) => cutLine(typed, courseCodeLength.max),
    describe: (code) => `the course ${code.toUpperCase()}`,
    shown: (code) => code.toUpperCase(),
    wider: { label: 'Search all courses', order: 4 },
    misplaced: (notes, code) => `Show ${notes} in course ${code.toUpperCase()}`,
  },
  academicYear: {
    label: 'Academic year',
    clean: (typed) => academicYear.safeParse(typed).data ?? '',
    choices: { of: 'years', any: 'Any year' },
    describe: (year) => `the academic year ${year}`,
    wider: { label: 'Search all years', order: 1 },
    inCourse: { any: 'All years', values: ({ academicYears }) => academicYears },
  },
  instructor: {
    label: 'Instructor',
    clean: (typed) => cutLine(typed, instructorLength.max),
    describe: (name) => `the instructor “${name}”`,
    wider: { label: 'Search any instructor', order: 2 },
    misplaced: (notes, name) => `Show ${notes} by instructor ${name}`,
    inCourse: { any: 'All instructors', values: ({ instructors }) => instructors },
  },
}
export const filterNames = Object.keys(filters) as FilterName[]

/** The values of the filters; an empty text is an unset filter. */
export type FilterValues = Record<FilterName, string>

export const filtersBy = (read: (name: FilterName) => string) =>
  Object.fromEntries(filterNames.map((name) => [name, read(name)])) as FilterValues
