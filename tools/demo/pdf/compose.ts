import type { Topic } from '../courses.ts'
import type { Random } from '../random.ts'
import type { Block } from './blocks.ts'

/** The words of the documents: what a course says about its topics, in the voice of somebody who took notes. */

const openings = [
  'This week was about {topic}. Three words carry everything: {a}, {b} and {c}.',
  'We start with {topic}. I have kept the order of the lecture and added what I had to look up afterwards.',
  'The aim of this part is to be able to use {a} and {b} without looking them up.',
  'Notes on {topic}, cleaned up at home. What is marked came up again in the exercise class.',
  'Before {topic} made sense to me I had to be clear about what {a} really says, so that is where these notes begin.',
]
const bridges = [
  'It helps to keep this apart from {b}: the two sound alike and answer different questions.',
  'The lecture spent most of its time here, and so will the exam, I suppose.',
  'A good check: can you explain {a} to somebody from another programme without looking it up?',
  'I found this easier after doing one example by hand, so do the exercise below before you read on.',
  'Everything that follows builds on these words, so they are worth learning by heart.',
  'Compare this with what we said about {b} at the beginning of the term.',
  'Ask yourself where {a} would fail; that is usually what the exercises are after.',
]
const closings = [
  'To sum up: if you can define {a} and {b} and give one example of each, this part is done.',
  'Next time we go on from here. Read the definitions once more before the lecture.',
  'That is all for {topic}. If you find a mistake, please tell me and I will correct it.',
  'For the exam: know the definitions, be able to do both exercises, and have one example ready.',
]
const factLabels = ['Key point', 'Remember', 'Note', 'Important', 'Remark']

function say(random: Random, templates: readonly string[], topic: Topic): string {
  const [a = '', b = '', c = ''] = random.shuffle(topic.definitions.map(({ term }) => term))
  return random
    .pick(templates)
    .replaceAll('{topic}', lowerFirst(topic.name))
    .replaceAll('{a}', a)
    .replaceAll('{b}', b || a)
    .replaceAll('{c}', c || topic.facts.length > 0 ? c || 'their examples' : 'their examples')
}

/** `Vector spaces` inside of a sentence. Names and abbreviations keep their capitals. */
const lowerFirst = (text: string) =>
  /^(The [A-Z]|[A-Z][A-Z]|[A-Z]\w*[’'] ?s |Newton|Kirchhoff|Mendel|Marx|Durkheim|Weber|Kant|Baroque|Impress|Italian|Cold)/.test(text)
    ? text
    : text.charAt(0).toLowerCase() + text.slice(1)

/** Lecture notes on one topic. */
export function composeLecture(topic: Topic, random: Random): Block[] {
  const [first, ...others] = topic.definitions
  const [fact, ...facts] = random.shuffle(topic.facts)
  const [figure, ...figures] = topic.figures
  const [exercise, ...exercises] = topic.exercises
  const blocks: (Block | undefined)[] = [
    { kind: 'section', text: topic.name },
    { kind: 'paragraph', text: say(random, openings, topic) },
    first && { kind: 'definition', ...first },
    { kind: 'paragraph', text: `${fact ?? ''} ${say(random, bridges, topic)}` },
    ...others.map((definition): Block => ({ kind: 'definition', ...definition })),
    ...topic.formulas.slice(0, 1).map((text): Block => ({ kind: 'formula', text })),
    ...facts.slice(0, 1).map((text): Block => ({ kind: 'fact', label: random.pick(factLabels), text })),
    figure && { kind: 'figure', figure },
    ...topic.formulas.slice(1).map((text): Block => ({ kind: 'formula', text })),
    { kind: 'paragraph', text: [...facts.slice(1), say(random, bridges, topic)].join(' ') },
    exercise && { kind: 'exercise', text: exercise.text, points: random.int(2, 5) },
    exercise && { kind: 'solution', text: exercise.solution },
    ...figures.map((one): Block => ({ kind: 'figure', figure: one })),
    ...exercises.map((one): Block => ({ kind: 'exercise', text: one.text, points: random.int(2, 5) })),
    { kind: 'paragraph', text: say(random, closings, topic) },
  ]
  return blocks.filter((block) => block !== undefined)
}

/** The same on as little paper as possible. */
export function composeSummary(topic: Topic, random: Random): Block[] {
  return [
    { kind: 'section', text: topic.name },
    ...topic.definitions.map((definition): Block => ({ kind: 'definition', ...definition })),
    ...topic.formulas.map((text): Block => ({ kind: 'formula', text })),
    { kind: 'list', items: random.shuffle(topic.facts) },
    ...topic.figures.filter(({ kind }) => kind === 'table' || random.chance(0.4)).map((figure): Block => ({ kind: 'figure', figure })),
  ]
}

/** Exercises, with solutions or with room for them. */
export function composeProblems(topics: Topic[], random: Random, withSolutions: boolean): Block[] {
  const blocks: Block[] = []
  for (const topic of topics) {
    if (topics.length > 1) blocks.push({ kind: 'section', text: topic.name })
    const asked: { text: string; solution: string }[] = [
      ...topic.exercises,
      ...topic.definitions.slice(0, 2).map(({ term, text }) => ({
        text: `Define “${term}” in one sentence and give an example of your own.`,
        solution: `${upperFirst(term)}: ${text}. Any correct example counts.`,
      })),
      ...random.shuffle(topic.facts).slice(0, 2).map((fact) => ({
        text: `True or false, with a reason: “${fact.replace(/\.$/, '')}”`,
        solution: `True. See the notes on ${lowerFirst(topic.name)}; the reason is worth as much as the answer.`,
      })),
    ]
    for (const { text, solution } of asked) {
      blocks.push({ kind: 'exercise', text, points: random.int(2, 6) })
      if (withSolutions) blocks.push({ kind: 'solution', text: solution })
    }
    const formula = topic.formulas[0]
    if (withSolutions && formula) {
      blocks.push({ kind: 'paragraph', text: 'Needed for most of the above:' }, { kind: 'formula', text: formula })
    }
    for (const figure of topic.figures.slice(0, 1)) blocks.push({ kind: 'figure', figure })
  }
  return blocks
}

/** One thought a page. */
export function composeSlides(topics: Topic[], random: Random): Block[] {
  return topics.flatMap((topic): Block[] => {
    const slides: Block[][] = [
      [
        { kind: 'section', text: topic.name },
        { kind: 'list', items: topic.definitions.map(({ term }) => `What is meant by ${term}?`) },
      ],
      ...topic.definitions.map(({ term, text }, index): Block[] => [
        { kind: 'section', text: upperFirst(term) },
        { kind: 'definition', term, text },
        { kind: 'list', items: topic.facts.slice(index, index + 1) },
      ]),
      ...topic.figures.map((figure): Block[] => [
        { kind: 'section', text: figure.caption },
        { kind: 'figure', figure },
      ]),
      [{ kind: 'section', text: 'What to take away' }, { kind: 'list', items: random.shuffle(topic.facts) }],
      ...topic.formulas.map((text): Block[] => [
        { kind: 'section', text: topic.name },
        { kind: 'formula', text },
        { kind: 'paragraph', text: say(random, bridges, topic) },
      ]),
      ...topic.exercises.map(({ text, solution }): Block[] => [
        { kind: 'section', text: 'Try it yourself' },
        { kind: 'exercise', text, points: 0 },
        { kind: 'solution', text: solution },
      ]),
    ]
    return slides.flatMap((slide): Block[] => [{ kind: 'break' }, ...slide])
  })
}

const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
