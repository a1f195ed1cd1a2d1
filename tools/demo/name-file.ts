import type { Course, Topic } from './courses.ts'
import type { DocumentKind } from './pdf/write-pdf.ts'
import type { Random } from './random.ts'

type Named = { kind: DocumentKind; course: Course; topics: Topic[]; name: string; year: number }

/** How people name their files, and what they write on the first page. */
const patterns: Record<DocumentKind, { one: string[]; many: string[] }> = {
  lecture: {
    one: [
      '{topic}',
      '{topic} – lecture notes',
      'Lecture {n}: {topic}',
      '{code} week {n} {topic}',
      '{code}_lecture_{n}_{topic_}',
    ],
    many: [
      '{course} – lecture notes',
      '{code} complete lecture notes',
      '{course}, {topic} to {last}',
      '{code} script {year}',
    ],
  },
  handwritten: {
    one: [
      '{topic} (handwritten)',
      'My notes on {topic}',
      '{code} week {n} – {topic}',
      'Scan {topic}',
      '{topic}, cleaned up',
    ],
    many: ['{course} notebook', '{code} all my notes {year}', 'Notebook {course}, part {n}', '{course} handwritten'],
  },
  summary: {
    one: ['{topic} on one page', '{topic} summary', 'Cheat sheet {topic}', '{code} formulas – {topic}'],
    many: [
      '{course} cheat sheet',
      '{code} final exam summary',
      '{course} in two pages',
      '{code}_summary_final_v{n}',
      'Everything for the {course} exam',
    ],
  },
  problems: {
    one: [
      'Problem set {n} – {topic}',
      '{code} tutorial {n}: {topic}',
      'Exercises on {topic} with solutions',
      '{topic} practice questions',
    ],
    many: [
      '{course} exam practice',
      '{code} exercises with solutions',
      'Mock exam {course} {year}',
      '{code}_problem_sets_all',
    ],
  },
  slides: {
    one: ['{topic} (slides)', 'Presentation: {topic}', '{code} talk – {topic}'],
    many: ['{course} review session', '{code} slides {year}', 'Tutorial slides {course}'],
  },
}

/** Some people put their names into file names; a note shared anonymously then loses it. */
const signedShare = 0.12

export function nameFile(
  { kind, course, topics, name, year }: Named,
  random: Random,
): { fileName: string; title: string } {
  const [topic] = topics
  const isOne = topics.length === 1
  const text = random
    .pick(isOne ? patterns[kind].one : patterns[kind].many)
    .replace('{topic_}', (topic?.name ?? '').toLowerCase().replace(/[^a-z0-9]+/g, '_'))
    .replace('{topic}', topic?.name ?? '')
    .replace('{last}', lowerFirst(topics.at(-1)?.name ?? ''))
    .replace('{course}', course.name)
    .replace('{code}', course.code)
    .replace('{year}', String(year + 1))
    .replace('{n}', String(random.int(1, isOne ? 12 : 3)))
  // What cannot stand in a file's name was a colon once.
  const signature = random.chance(signedShare) ? ` - ${name}` : ''
  return {
    fileName: `${text.replace(/[:/?]/g, ' -').replace(/ {2,}/g, ' ')}${signature}.pdf`,
    title: isOne ? (topic?.name ?? text) : course.name,
  }
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
