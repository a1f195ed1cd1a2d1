import { currentAcademicYearStart, formatAcademicYear, recentlyViewedLimit } from '../../contract/limits.ts'
import { type DocumentKind, type DocumentPlan, documentKinds } from './compose.ts'
import { type Course, courses, type Topic } from './courses.ts'
import { nameFile } from './name-file.ts'
import { createRandom, type Random } from './random.ts'
import { emailOf, latinName, studentNames } from './students.ts'

/** Students and notes are named by their place in these lists until the database has given them ids. */
export type LibraryPlan = { students: PlannedStudent[]; notes: PlannedNote[] }

export type PlannedStudent = { name: string; email: string; joinedAt: Date; recentlyViewed: number[] }

export type PlannedNote = {
  owner: number
  fileName: string
  instructor: string | undefined
  isAnonymous: boolean
  createdAt: Date
  document: DocumentPlan
  ratings: { student: number; liked: boolean; at: Date }[]
}

export type LibrarySize = { students: number; notes: number }
export type PlanOptions = LibrarySize & {
  now: Date
  /** 1 to 12. */
  academicYearStartMonth: number
  seed: string
}

const dayMs = 24 * 3600 * 1000
/** Notes were shared over the last two years, of courses of the last five. */
const historyDays = 730
const yearWeights = [0.44, 0.26, 0.15, 0.09, 0.06]
const anonymousShare = 0.15
/** The first student is whoever tries the demo: with notes, likes and a history to look at. */
export const guest = 0
const guestNotes = 7
const guestRatings = 18

const kindWeights: Record<DocumentKind, number> = {
  lecture: 0.33,
  handwritten: 0.27,
  summary: 0.15,
  problems: 0.14,
  slides: 0.11,
}
/** How often a document is about one topic, two or three, or the whole course. */
const spanWeights: Record<DocumentKind, [number, number, number]> = {
  lecture: [0.6, 0.26, 0.14],
  handwritten: [0.5, 0.32, 0.18],
  summary: [0.25, 0, 0.75],
  problems: [0.55, 0.25, 0.2],
  slides: [0.55, 0.27, 0.18],
}
const maxPages = 40

/** Decides on everybody and everything in the library. The same options give the same library. */
export function planLibrary(options: PlanOptions): LibraryPlan {
  const random = createRandom(options.seed)
  const names = studentNames.slice(0, options.students)
  // Few are busy, most share a note or two.
  const activity = names.map((_, index) => (index === guest ? 0 : 0.3 + random.next() ** 3 * 6))
  const enrolments = names.map(() => random.shuffle(courses).slice(0, random.int(6, 10)))

  let guestCount = 0
  const notes = Array.from({ length: options.notes }, (_, index) => {
    const isGuests = index > 0 && index % Math.max(2, Math.floor(options.notes / guestNotes)) === 0
    const isFree = index >= courses.length
    const course = isGuests && isFree ? random.pick(enrolments[guest] ?? courses) : pickCourse(index, random)
    const takers = activity.map((weight, student) => (enrolments[student]?.includes(course) ? weight : weight / 50))
    const owner = isGuests ? guest : Math.max(0, random.weighted(takers))
    const isAnonymous = owner === guest ? guestCount++ % 3 === 0 : random.chance(anonymousShare)
    return planNote({ index, owner, name: names[owner] ?? '', course, isAnonymous }, random, options)
  })
  for (const note of notes) note.ratings = planRatings(note, names.length, random, options.now)
  addGuestRatings(notes, random, options.now)

  const students = names.map((name, index): PlannedStudent => {
    const first = Math.min(...notes.filter(({ owner }) => owner === index).map(({ createdAt }) => createdAt.getTime()))
    const known = Number.isFinite(first) ? first : options.now.getTime() - random.between(20, 300) * dayMs
    const joinedAt = new Date(known - random.between(0.5, 30) * dayMs)
    return { name, email: emailOf(name), joinedAt, recentlyViewed: planViews(notes, random) }
  })
  return { students, notes }
}

/** Every course at least once, then the popular ones more often. */
function pickCourse(index: number, random: Random): Course {
  const all = courses[index]
  return all ?? (courses[Math.floor(random.next() ** 1.4 * courses.length)] as Course)
}

type Choice = { index: number; owner: number; name: string; course: Course; isAnonymous: boolean }

function planNote(
  { index, owner, name, course, isAnonymous }: Choice,
  random: Random,
  { seed, now, academicYearStartMonth }: PlanOptions,
): PlannedNote {
  const kind = documentKinds[random.weighted(documentKinds.map((one) => kindWeights[one]))] ?? 'lecture'
  const createdAt = planTime(random, now)
  const currentStart = currentAcademicYearStart(createdAt, academicYearStartMonth)
  const oldest = currentAcademicYearStart(now, academicYearStartMonth) - (yearWeights.length - 1)
  const startYear = Math.max(oldest, currentStart - Math.max(0, random.weighted(yearWeights)))
  const topics = pickTopics(kind, course, random)
  const { fileName, title } = nameFile({ kind, course, topics, name, year: startYear }, random)
  return {
    owner,
    fileName,
    instructor: random.chance(0.65) ? random.pick(course.instructors) : undefined,
    isAnonymous,
    createdAt,
    ratings: [],
    document: {
      kind,
      title,
      course,
      topics,
      author: !isAnonymous && random.chance(0.6) ? latinName(name) : null,
      owner: name,
      academicYear: formatAcademicYear(startYear),
      createdAt,
      maxPages: limitPages(kind, topics, random),
      seed: `${seed} ${index}`,
    },
  }
}

/** A summary has to fit; a talk ends when its time is over. */
function limitPages(kind: DocumentKind, topics: Topic[], random: Random): number {
  if (kind === 'summary') return topics.length > 1 && random.chance(0.5) ? 2 : 1
  return kind === 'slides' ? random.int(12, maxPages) : maxPages
}

function pickTopics(kind: DocumentKind, course: Course, random: Random): Topic[] {
  const span = random.weighted(spanWeights[kind])
  if (span === 2) return course.topics
  const first = random.int(0, course.topics.length - 1)
  return course.topics.slice(first, first + (span === 0 ? 1 : random.int(2, 3)))
}

/** More of late than long ago, and in the evening rather than at night. */
function planTime(random: Random, now: Date): Date {
  const day = new Date(now.getTime() - random.next() ** 1.25 * historyDays * dayMs)
  const hour = Math.min(23, Math.max(7, random.normal(18, 3.6))) + random.next()
  day.setUTCHours(0, 0, 0, 0)
  const time = day.getTime() + hour * 3600 * 1000
  const latest = now.getTime() - random.between(0.2, 6) * 3600 * 1000
  return new Date(Math.round(Math.min(time, latest)))
}

/** A long tail: most notes are liked by a few, some by nearly everybody. */
function planRatings(note: PlannedNote, students: number, random: Random, now: Date): PlannedNote['ratings'] {
  const ageDays = (now.getTime() - note.createdAt.getTime()) / dayMs
  const reach = 1.9 * Math.min(1, 0.25 + ageDays / 90) * (1 - random.next()) ** -0.75
  const count = Math.min(students - 1, Math.floor(reach - 0.9 + random.next()))
  const goodness = Math.min(0.98, Math.max(0.35, random.normal(0.88, 0.13)))
  return random
    .shuffle(Array.from({ length: students }, (_, index) => index))
    .filter((student) => student !== note.owner && student !== guest)
    .slice(0, Math.max(0, count))
    .map((student) => ({ student, liked: random.chance(goodness), at: between(note.createdAt, now, random) }))
}

function addGuestRatings(notes: PlannedNote[], random: Random, now: Date): void {
  const others = notes.filter(({ owner }) => owner !== guest)
  for (const [index, note] of random.shuffle(others).slice(0, guestRatings).entries()) {
    note.ratings.push({ student: guest, liked: index % 9 !== 8, at: between(note.createdAt, now, random) })
  }
}

/** Places in the list of notes, the one opened last first. What is liked much is opened much. */
function planViews(notes: PlannedNote[], random: Random): number[] {
  const count = Math.min(notes.length, random.int(8, recentlyViewedLimit))
  return notes
    .map((note, index) => ({ index, rank: random.next() * (2 + note.ratings.length) }))
    .sort((a, b) => b.rank - a.rank)
    .slice(0, count)
    .map(({ index }) => index)
}

const between = (from: Date, to: Date, random: Random) =>
  new Date(Math.round(from.getTime() + (to.getTime() - from.getTime()) * random.next() ** 2))
