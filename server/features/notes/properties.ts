import { type RawBuilder, sql } from 'kysely'
import { foldCourseCode } from '../../../packages/contract/course-code.ts'
import { type DetailName, detailNames, type Note } from '../../../packages/contract/notes.ts'
import type { Db } from '../../platform/db/pool.ts'
import type { Notes } from '../../platform/db/schema.ts'
import { toVersion } from '../../platform/http/versions.ts'
import { courseWords, foldVersion, titleWords, toTsvector } from '../search/text-analysis/fold.ts'

type PropertyName = DetailName | 'title' | 'isAnonymous'
/** The properties of a note that an edit may change. */
export type Editable = {
  [Name in PropertyName]: Exclude<Note[Name], undefined> | (undefined extends Note[Name] ? null : never)
}
/** Omitted properties stay unchanged; those that are null are removed. */
export type NoteChange = { [Name in PropertyName]?: Editable[Name] | undefined }

type Property = {
  column: keyof Notes
  /** Further columns, folded for search. */
  fold?: (value: string) => { [Column in keyof Notes]?: unknown }
}

/** The column of every property. Reading, writing, comparing and folding a note derive from these. */
const properties: Record<PropertyName, Property> = {
  title: {
    column: 'title',
    fold: (title) => ({ title_words: tsvector(titleWords(title)), fold_version: foldVersion }),
  },
  courseCode: {
    column: 'course_code',
    fold: (code) => ({ course_key: foldCourseCode(code), course_words: tsvector(courseWords(code)) }),
  },
  academicYear: { column: 'academic_year' },
  instructor: {
    column: 'instructor',
    fold: (instructor) => ({ instructor_words: tsvector(toTsvector(instructor)) }),
  },
  isAnonymous: { column: 'is_anonymous' },
}
const propertyNames = Object.keys(properties) as PropertyName[]

const tsvector = (words: string) => sql<string>`${words}::tsvector`

/** For SELECT from notes named `n`. */
export const selectProperties = propertyNames.map((name) => sql.ref(`n.${properties[name].column}`).as(name))

/** Returns the columns of the given properties. */
export const columnsOf = (change: NoteChange) =>
  Object.assign(
    {},
    ...propertyNames
      .filter((name) => change[name] !== undefined)
      .map((name) => ({
        [properties[name].column]: change[name],
        ...properties[name].fold?.(String(change[name] ?? '')),
      })),
  )

/** Condition: the note still has these values. */
export const isStill = (note: Editable): RawBuilder<boolean> => sql`
  (${sql.join(propertyNames.map((name) => sql.ref(properties[name].column)))}) IS NOT DISTINCT FROM (${sql.join(propertyNames.map((name) => note[name]))})`

/** Returns a request that gives all details as a change: those that are left out are removed. */
export const asChange = <Given extends { [Name in DetailName]?: unknown }>(given: Given) => ({
  ...given,
  ...(Object.fromEntries(detailNames.map((name) => [name, given[name] ?? null])) as Pick<Editable, DetailName>),
})

/** Returns the properties as the API has them, where removed ones are left out. */
export const presentProperties = (row: Editable) =>
  Object.fromEntries(propertyNames.map((name) => [name, row[name] ?? undefined])) as Pick<Note, PropertyName>

/** Returns the version of the properties. It includes the note id, so that equal notes have different versions. */
export const versionOf = (noteId: string, note: Editable | Pick<Note, PropertyName>): string =>
  toVersion(noteId, ...propertyNames.map((name) => note[name] ?? null))

/** Folds a note's properties by the current rules. A concurrent edit wins, because it folds the new ones itself. */
export async function reindexNote(db: Db, id: string): Promise<void> {
  const note = await db
    .selectFrom('notes as n')
    .select(selectProperties)
    .where('id', '=', id)
    .$castTo<Editable>()
    .executeTakeFirst()
  if (note) await db.updateTable('notes').set(columnsOf(note)).where('id', '=', id).where(isStill(note)).execute()
}
