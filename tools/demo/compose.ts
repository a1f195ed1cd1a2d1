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
  | { kind: 'statement'; role: Role; label: string; text: string; points: number }
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
const statement = (role: Role, label: string, text: string, points = 0): Block => ({
  kind: 'statement',
  role,
  label,
  text,
  points,
})
const definition = ({ term, text }: { term: string; text: string }) => statement('definition', term, text)
const exercise = (text: string, points: number) => statement('exercise', '', text, points)
const solution = (text: string) => statement('solution', '', text)

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
    const section: Block[] = topics.length > 1 ? [{ kind: 'section', text: topic.name }] : []
    return [...section, ...composeProblems(topic, random, withSolutions)]
  })
  return [{ kind: 'title', title, course: `${course.code} ${course.name}`, byline }, ...bodies.flat()]
}

/**
 * Lecture notes on one topic.
 * @param isWhole the topic is all there is in the document, whose title names it already.
 */
function composeLecture(topic: Topic, random: Random, isWhole: boolean): Block[] {
  const facts = random.shuffle(topic.facts)
  const terms = random.shuffle(topic.definitions.map(({ term }) => term))
  const head = (text: string): Block => ({ kind: isWhole ? 'section' : 'heading', text })
  const noted = (text: string): Block[] => [formula(text), paragraph(random.pick(phrases('formula notes')))]
  const questions = [
    `What is meant by ${terms[0]}? Say it without looking.`,
    `How do ${terms[0]} and ${terms[1]} belong together?`,
    `Give an example and a counterexample for ${terms.at(-1)}.`,
    `Why is it that ${lowerFirst(facts[0] ?? '').replace(/\.$/, '')}?`,
  ]
  return [
    ...(isWhole ? [] : [section(topic.name)]),
    paragraph(`${say(random, 'openings', topic)} ${random.pick(phrases('voices'))}`),
    head('What the words mean'),
    ...topic.definitions.flatMap((one, index): Block[] => [
      definition(one),
      ...(facts[index] && index < 2 ? [paragraph(`${facts[index]} ${say(random, 'bridges', topic)}`)] : []),
    ]),
    ...topic.figures.slice(0, 1).map(drawing),
    head('What follows from them'),
    ...topic.formulas.slice(0, 1).flatMap(noted),
    ...facts.slice(2).map((text) => statement('fact', random.pick(phrases('fact labels')), text)),
    ...topic.formulas.slice(1).flatMap(noted),
    paragraph(`${say(random, 'bridges', topic)} ${random.pick(phrases('voices'))}`),
    ...topic.figures.slice(1).map(drawing),
    head('Examples'),
    ...topic.exercises.flatMap((one) => [exercise(one.text, random.int(2, 5)), solution(one.solution)]),
    head('Before the exam'),
    { kind: 'list', items: random.shuffle(questions) },
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
  const asked = [
    ...topic.exercises,
    ...topic.definitions.slice(0, 2).map(({ term, text }) => ({
      text: `Define “${term}” in one sentence and give an example of your own.`,
      solution: `${upperFirst(term)}: ${text}. Any correct example counts.`,
    })),
    ...random
      .shuffle(topic.facts)
      .slice(0, 2)
      .map((fact) => {
        const { term, text } = random.pick(topic.definitions)
        return {
          text: `Explain in your own words: “${fact.replace(/\.$/, '')}.”`,
          solution: `Begin with what ${term} means (${text}) and argue from there; two or three sentences are enough.`,
        }
      }),
  ]
  return [
    ...asked.flatMap((one) => [
      exercise(one.text, random.int(2, 6)),
      ...(withSolutions ? [solution(one.solution)] : []),
    ]),
    ...(withSolutions
      ? topic.formulas.slice(0, 1).flatMap((one) => [paragraph('Needed for most of the above:'), formula(one)])
      : []),
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
    ...topic.figures.map((figure) => [section(figure.caption), drawing(figure)]),
    [section('What to take away'), { kind: 'list', items: random.shuffle(topic.facts) }],
    ...topic.formulas.map((text) => [section(topic.name), formula(text), paragraph(say(random, 'bridges', topic))]),
    ...topic.exercises.map((one) => [section('Try it yourself'), exercise(one.text, 0), solution(one.solution)]),
  ]
  return slides.flatMap((slide): Block[] => [{ kind: 'break' }, ...slide])
}
