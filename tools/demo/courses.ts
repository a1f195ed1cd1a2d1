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
    if (line.startsWith('@')) {
      const [code, name, instructors] = splitFields(content)
      courses.push({ code, name, instructors: instructors.split(';').map((one) => one.trim()), topics: [] })
      continue
    }
    const course = courses.at(-1)
    if (line.startsWith('#')) {
      course?.topics.push({ name: content, definitions: [], facts: [], formulas: [], figures: [], exercises: [] })
      continue
    }
    const topic = course?.topics.at(-1)
    if (!topic || !addLine(topic, line[0] ?? '', content)) throw new Error(`Cannot read the course line: ${line}`)
  }
  return courses
}

function addLine(topic: Topic, mark: string, content: string): boolean {
  if (mark === '=') {
    const [term, text] = splitOnce(content, ': ')
    topic.definitions.push({ term, text })
  } else if (mark === '-') topic.facts.push(content)
  else if (mark === '$') topic.formulas.push(content)
  else if (mark === '?') {
    const [text, solution] = splitOnce(content, ' => ')
    topic.exercises.push({ text, solution })
  } else if (mark === '~') {
    const [kind, rest] = splitOnce(content, ': ')
    // Some labels are formulas with bars of their own, which have no blank on both sides.
    const [caption = '', ...fields] = rest.split(' | ').map((field) => field.trim())
    topic.figures.push({ kind, caption, fields })
  } else return false
  return true
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  if (at < 0) throw new Error(`"${separator}" is missing in the course line: ${text}`)
  return [text.slice(0, at).trim(), text.slice(at + separator.length).trim()]
}

function splitFields(text: string): [string, string, string] {
  const [first, second, third] = text.split('|').map((field) => field.trim())
  if (!first || !second || !third) throw new Error(`A course needs a code, a name and instructors: ${text}`)
  return [first, second, third]
}

const folder = new URL('./courses/', import.meta.url)

export const courses: Course[] = readdirSync(folder)
  .sort()
  .flatMap((name) => parseCourses(readFileSync(new URL(name, folder), 'utf8')))
