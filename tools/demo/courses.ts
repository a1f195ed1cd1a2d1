import { readdirSync, readFileSync } from 'node:fs'

/** What a course is about. The texts stand in `courses/*.txt`, in the form that `parseCourses` describes. */
export type Course = { code: string; name: string; instructors: string[]; topics: Topic[] }

export type Topic = {
  name: string
  definitions: { term: string; text: string }[]
  facts: string[]
  formulas: string[]
  figures: FigureSource[]
  exercises: { text: string; solution: string }[]
}

/** A drawing to be made: its kind, its caption and what is written into it, field by field. */
export type FigureSource = { kind: string; caption: string; fields: string[] }

/**
 * One line each, told apart by its first character:
 * `@ code | name | instructor; instructor` begins a course, `# name` a topic;
 * `= term: text` is a definition, `- text` a fact, `$ text` a formula,
 * `? question => answer` an exercise, `~ kind: caption | field | field` a figure.
 */
export function parseCourses(text: string): Course[] {
  const courses: Course[] = []
  for (const line of text.split('\n').filter((line) => line.trim() !== '')) {
    const content = line.slice(1).trim()
    const split = (separator: string) => splitOnce(content, separator)
    const course = courses.at(-1)
    const topic = course?.topics.at(-1)
    if (line.startsWith('@')) {
      const [code = '', name = '', instructors = ''] = content.split(' | ')
      courses.push({ code, name, instructors: instructors.split('; '), topics: [] })
    } else if (line.startsWith('#')) {
      course?.topics.push({ name: content, definitions: [], facts: [], formulas: [], figures: [], exercises: [] })
    } else if (line.startsWith('=')) {
      const [term, text] = split(': ')
      topic?.definitions.push({ term, text })
    } else if (line.startsWith('?')) {
      const [text, solution] = split(' => ')
      topic?.exercises.push({ text, solution })
    } else if (line.startsWith('~')) {
      const [kind, rest] = split(': ')
      // Some labels are formulas with bars of their own, which have no blank on both sides.
      const [caption = '', ...fields] = rest.split(' | ').map((field) => field.trim())
      topic?.figures.push({ kind, caption, fields })
    } else if (line.startsWith('-')) topic?.facts.push(content)
    else if (line.startsWith('$')) topic?.formulas.push(content)
    else throw new Error(`Cannot read the course line: ${line}`)
  }
  return courses
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  if (at < 0) throw new Error(`"${separator}" is missing in the course line: ${text}`)
  return [text.slice(0, at).trim(), text.slice(at + separator.length).trim()]
}

const folder = new URL('./courses/', import.meta.url)
const names = readdirSync(folder).sort()
export const courses: Course[] = names.flatMap((name) => parseCourses(readFileSync(new URL(name, folder), 'utf8')))
