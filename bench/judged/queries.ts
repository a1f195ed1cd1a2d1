import { readFileSync } from 'node:fs'

/** A search and the notes it should find: 3 is exactly what the student wants, 2 is good, 1 is marginal. */
export type JudgedQuery = {
  kind: string
  text: string
  /** Grades by the note's key in the library. Empty when nothing should be found. */
  wanted: Record<string, number>
}

/** A line for each kind, and its queries indented below it: the text and the notes it wants. */
const readQueries = (name: string): JudgedQuery[] =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .trimEnd()
    .split(/\n(?! )/)
    .flatMap((lines) => {
      const [kind = '', ...queries] = lines.split('\n  ')
      return queries.map((query) => {
        const [text = '', notes = ''] = query.split(' | ')
        const grades = notes === 'nothing' ? [] : notes.split(', ').map((note) => note.split(' '))
        const wanted = Object.fromEntries(grades.map(([key = '', grade]) => [key, Number(grade)]))
        return { kind, text, wanted }
      })
    })

export const judgedQueries = readQueries('queries.txt')
/** Kinds without a budget for their order yet. A kind moves to the others once the search answers it. */
export const furtherQueries = readQueries('further-queries.txt')
