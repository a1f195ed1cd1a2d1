import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type Course, courses, notesFolder, type Topic } from './courses.ts'
import { createRandom } from './random.ts'
import type { Note } from './write-pdf.ts'

/** The user whose login is printed. */
export const guest = 'Mara Lindqvist'
/** The users of the demo library. */
export const studentNames: string[] = `${guest},
Amara Okafor, Lê Thanh Hà, Mateo Fernández Ruiz, Yuki Tanaka, Fatima El Amrani, Łukasz Wójcik, Priya Raghavan,
Jonas Weber, Zoë van den Berg, Kwame Asante, Camila Souza Lima, Ahmed Hassan, Siobhán O’Connor, Wei Chen, Elif Yıldız,
Tomáš Novák, Aisha Mohammed, Lucas Tremblay, Min-jun Park, Giulia Romano, Dmytro Kovalenko, Leilani Kahale,
Arjun Singh Gill, Noor Khan, Freya Sørensen, Thabo Nkosi, Sofía Castillo, Ruth Abebe, Oliver Hughes, Ioana Popescu,
Misaki Sato, Hana Al-Masri, Étienne Moreau, Chiamaka Eze, Björn Gunnarsson, Tala Santos, Niko Laine, Deborah Cohen,
Ravi Jayawardena, Alexandros Pappas, Grace Mutua, Ivana Horvat, Sione Tupou`
  .split(',')
  .map((name) => name.trim())

const plainLetters: Record<string, string> = { ł: 'l', ø: 'o', ı: 'i' }

/** Returns `lukasz.wojcik@student.example` for `Łukasz Wójcik`; the domain receives no mail (RFC 2606). */
export function emailOf(name: string): string {
  const plain = name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[łøı]/g, (letter) => plainLetters[letter] ?? '')
    .replace(/[^a-z ]/g, '')
  const words = plain.split(' ')
  return `${words[0]}.${words.at(-1)}@student.example`
}

export type DemoNote = Note & { course: Course; file: string; isAnonymous: boolean }

const looks: Note['look'][] = ['plain', 'slides', 'handwritten']
const anonymousShare = 0.15
const signedShare = 0.6
/** One of this many notes belongs to the user whose login is printed. */
const guestEvery = 17

/** Adjacent notes belong to different courses, so that a part of the list shows most courses. */
export const demoNotes: DemoNote[] = courses
  .flatMap((course, place) => course.topics.map((topic, week) => ({ course, topic, place, week })))
  .sort((a, b) => a.week - b.week || a.place - b.place)
  .map(({ course, topic, place, week }, index) => createNote(course, topic, place + week, index))

function createNote(course: Course, topic: Topic, turn: number, index: number): DemoNote {
  const random = createRandom(index)
  const isGuests = index % guestEvery === 8
  // A few students upload many notes, most only one or two.
  const owner = studentNames[1 + Math.floor(random.next() ** 1.6 * (studentNames.length - 1))] ?? guest
  const isAnonymous = isGuests ? index % 2 === 1 : random.chance(anonymousShare)
  return {
    title: topic.name,
    markdown: topic.markdown,
    course,
    look: topic.isWholeCourse ? 'plain' : (looks[turn % looks.length] ?? 'plain'),
    author: isGuests ? guest : owner,
    isSigned: !isAnonymous && random.chance(signedShare),
    file: `${course.code}-${course.topics.indexOf(topic) + 1}.pdf`,
    isAnonymous,
  }
}

/** The package contains the PDFs. A checkout generates each on demand. */
export async function readPdf(note: DemoNote): Promise<Buffer> {
  const packed = new URL(note.file, notesFolder)
  if (existsSync(packed)) return readFile(packed)
  const { writePdf } = await import('./write-pdf.ts')
  return writePdf(note)
}
