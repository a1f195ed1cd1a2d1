import type { Course, FigureSource, Topic } from './courses.ts'
import { phrases } from './phrases.ts'
import type { Random } from './random.ts'

export const documentKinds = ['lecture', 'handwritten', 'summary', 'problems', 'slides'] as const
export type DocumentKind = (typeof documentKinds)[number]

export type DocumentPlan = {
  kind: DocumentKind
  title: string
  course: Course
  /** What it is about, in order. */
  topics: Topic[]
  /** Named on the first page and in the metadata. Null for whoever does not sign. */
  author: string | null
  /** Named in the metadata in any case, as word processors do. */
  owner: string
  academicYear: string
  createdAt: Date
  maxPages: number
  /** Decides everything that is left open; one owner always has the same handwriting. */
  seed: string
}

type Role = 'definition' | 'fact' | 'exercise' | 'solution'

/** What a document says, whatever it looks like. */
export type Block =
  | { kind: 'title'; title: string; course: string; byline: string }
  | { kind: 'section' | 'heading' | 'paragraph' | 'formula'; text: string }
  /** @param label the term that is defined, or what kind of fact it is. */
  | { kind: 'statement'; role: Role; label: string; text: string }
  | { kind: 'list'; items: string[] }
  | { kind: 'figure'; figure: FigureSource }
  /** Goes on on a new page. */
  | { kind: 'break' }

/** One of the phrases, about the topic. */
function say(random: Random, name: string, topic: Topic): string {
  const [a = '', b = a, c = 'their examples'] = random.shuffle(topic.definitions.map(({ term }) => term))
  const words: Record<string, string> = { topic: lowerFirst(topic.name), a, b, c }
  return random.pick(phrases(name)).replace(/\{(\w+)\}/g, (_, key) => words[key] ?? '')
}

const properNames = new RegExp(`^([A-Z][A-Z_]|(${phrases('names that keep their capital').join('|')})(?![a-z]))`)
/** `Vector spaces` inside of a sentence. */
export const lowerFirst = (text: string) =>
  properNames.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1)
export const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const paragraph = (text: string): Block => ({ kind: 'paragraph', text })
const section = (text: string): Block => ({ kind: 'section', text })
const formula = (text: string): Block => ({ kind: 'formula', text })
const drawing = (figure: FigureSource): Block => ({ kind: 'figure', figure })
const statement = (role: Role, label: string, text: string): Block => ({ kind: 'statement', role, label, text })
const definition = ({ term, text }: { term: string; text: string }) => statement('definition', term, text)
const pose = ({ text, solution }: Topic['exercises'][number]) =>
  [statement('exercise', '', text), statement('solution', '', solution)] as const

/** Everything a document says, from its title on. */
export function composeDocument(
  { kind, title, course, topics, author, academicYear }: DocumentPlan,
  random: Random,
): Block[] {
  const byline = [author, academicYear].filter(Boolean).join(', ')
  const withSolutions = random.chance(0.75)
  const bodies = topics.map((topic): Block[] => {
    if (kind === 'slides') return composeSlides(topic, random)
    if (kind === 'summary') return composeSummary(topic, random)
    if (kind !== 'problems') return composeLecture(topic, random, topics.length === 1)
    return [section(topic.name), ...composeProblems(topic, random, withSolutions)]
  })
  return [{ kind: 'title', title, course: `${course.code} ${course.name}`, byline }, ...bodies.flat()]
}

/**
 * Lecture notes on one topic.
 * @param isWhole the topic is all there is in the document, whose title names it already.
 */
function composeLecture(topic: Topic, random: Random, isWhole: boolean): Block[] {
  const facts = random.shuffle(topic.facts)
  const [a, b] = random.shuffle(topic.definitions.map(({ term }) => term))
  const head = (text: string): Block => ({ kind: isWhole ? 'section' : 'heading', text })
  const questions = [
    `What is meant by ${a}? Say it without looking.`,
    `How do ${a} and ${b} belong together?`,
    `Why is it that ${lowerFirst(facts[0] ?? '').replace(/\.$/, '')}?`,
  ]
  return [
    ...(isWhole ? [] : [section(topic.name)]),
    paragraph(`${say(random, 'openings', topic)} ${random.pick(phrases('voices'))}`),
    head('What the words mean'),
    ...topic.definitions.flatMap((one, index) => [
      definition(one),
      ...facts
        .slice(0, 2)
        .slice(index, index + 1)
        .map((fact) => paragraph(`${fact} ${say(random, 'bridges', topic)}`)),
    ]),
    ...topic.figures.map(drawing),
    head('What follows from them'),
    ...topic.formulas.flatMap((text) => [formula(text), paragraph(random.pick(phrases('formula notes')))]),
    ...facts.slice(2).map((text) => statement('fact', random.pick(phrases('fact labels')), text)),
    head('Examples'),
    ...topic.exercises.flatMap(pose),
    head('Before the exam'),
    { kind: 'list', items: questions },
    paragraph(say(random, 'closings', topic)),
  ]
}

/** The same on as little paper as possible. */
function composeSummary(topic: Topic, random: Random): Block[] {
  return [
    section(topic.name),
    ...topic.definitions.map(definition),
    ...topic.formulas.map(formula),
    { kind: 'list', items: random.shuffle(topic.facts) },
    ...topic.exercises.slice(0, 1).map((one) => statement('fact', one.text, one.solution)),
    ...topic.figures.filter(({ kind }) => kind === 'table' || random.chance(0.4)).map(drawing),
  ]
}

/** Exercises, with solutions or with room for them. */
function composeProblems(topic: Topic, random: Random, withSolutions: boolean): Block[] {
  const asked = topic.definitions.map(({ term, text }) => ({
    text: `Define “${term}” in one sentence and give an example of your own.`,
    solution: `${upperFirst(term)}: ${text}. Any correct example counts.`,
  }))
  return [
    ...[...topic.exercises, ...asked].flatMap(({ text, solution }) => {
      const [question, answer] = pose({ text: `${text} (${random.int(2, 6)} points)`, solution })
      return withSolutions ? [question, answer] : [question]
    }),
    ...topic.figures.slice(0, 1).map(drawing),
  ]
}

/** One thought a page. */
function composeSlides(topic: Topic, random: Random): Block[] {
  const slides: Block[][] = [
    [section(topic.name), { kind: 'list', items: topic.definitions.map(({ term }) => `What is meant by ${term}?`) }],
    ...topic.definitions.map(({ term, text }, index): Block[] => [
      section(upperFirst(term)),
      definition({ term, text }),
      { kind: 'list', items: topic.facts.slice(index, index + 1) },
    ]),
    ...topic.figures.map((figure) => [section(topic.name), drawing(figure)]),
    [section('What to take away'), { kind: 'list', items: random.shuffle(topic.facts) }],
    ...topic.formulas.map((text) => [section(topic.name), formula(text), paragraph(say(random, 'bridges', topic))]),
    ...topic.exercises.map((one) => [section('Try it yourself'), ...pose(one)]),
  ]
  return slides.flatMap((slide): Block[] => [{ kind: 'break' }, ...slide])
}
