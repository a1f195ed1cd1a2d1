import { readdirSync, readFileSync } from 'node:fs'

/** A course has one file in `notes/`: a description on the first line, then its notes, each starting with `# `. */
export type Course = { code: string; name: string; instructors: string[]; topics: Topic[] }
/** @property name the title of the note. */
export type Topic = { name: string; markdown: string; isWholeCourse: boolean }

export const notesFolder = new URL('./notes/', import.meta.url)

export const courses: Course[] = readdirSync(notesFolder)
  .filter((file) => file.endsWith('.md'))
  .sort()
  .map((file) => parseCourse(readFileSync(new URL(file, notesFolder), 'utf8')))

function parseCourse(text: string): Course {
  const [about = '', ...notes] = text.split(/^# /m)
  const [code = '', name = '', instructors = '', title = ''] = about.trim().split(' · ')
  const topics = notes.map((note): Topic => {
    const end = note.indexOf('\n')
    return { name: note.slice(0, end), markdown: note.slice(end).trim(), isWholeCourse: false }
  })
  // The last note of a course contains all the others, as a long document.
  const whole = notes.map((note) => `# ${note}`.replace(/^#/gm, '##')).join('\n')
  topics.push({ name: `${name}: ${title}`, markdown: whole, isWholeCourse: true })
  return { code, name, instructors: instructors.split(', '), topics }
}
