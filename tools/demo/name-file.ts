import { type DocumentKind, lowerFirst } from './compose.ts'
import type { Course, Topic } from './courses.ts'
import { phrases } from './phrases.ts'
import type { Random } from './random.ts'

type Named = { kind: DocumentKind; course: Course; topics: Topic[]; name: string; year: number }

/** Some people put their names into file names; a note shared anonymously then loses it. */
const signedShare = 0.12

/** How people name their files, and what they write on the first page. */
export function nameFile(
  { kind, course, topics, name, year }: Named,
  random: Random,
): { fileName: string; title: string } {
  const topic = topics[0]?.name ?? ''
  const isOne = topics.length === 1
  const words: Record<string, string> = {
    topic,
    topic_: topic.toLowerCase().replace(/[^a-z0-9]+/g, '_'),
    last: lowerFirst(topics.at(-1)?.name ?? ''),
    course: course.name,
    code: course.code,
    year: String(year + 1),
    n: String(random.int(1, isOne ? 12 : 3)),
  }
  const pattern = random.pick(phrases(`${kind} of ${isOne ? 'one topic' : 'many topics'}`))
  const text = pattern.replace(/\{(\w+)\}/g, (_, key) => words[key] ?? '')
  const signature = random.chance(signedShare) ? ` - ${name}` : ''
  return {
    // What cannot stand in a file's name was a colon once.
    fileName: `${text.replace(/[:/?]/g, ' -').replace(/ {2,}/g, ' ')}${signature}.pdf`,
    title: isOne ? topic : course.name,
  }
}
