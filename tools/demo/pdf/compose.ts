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
const formulaNotes = [
  'Check the units, or the sizes, before you use it.',
  'This is the line to know by heart; the rest can be derived from it.',
  'We used it in almost every exercise of the week.',
  'Read it from left to right and say in words what each part stands for.',
  'It looks harmless, but most lost points in last year’s exam were lost here.',
]
const voices = [
  'I had to read this twice.',
  'Somebody asked for an example in the lecture, and the exercise below is the one we got.',
  'The book puts it in a different order, with the same result.',
  'In the tutorial we came back to it from the other side.',
  'It is worth drawing a picture here.',
  'There is a longer version of this in the recommended reading.',
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
const lowerFirst = (text: string) => (properNames.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1))

// biome-ignore format: a list of words
const properNames = new RegExp(`^([A-Z][A-Z_]|${[
  'Bayes', 'Bernini', 'Bismarck', 'Bosch', 'Brunelleschi', 'Caravaggio', 'Courbet', 'Cézanne', 'Cold War', 'David', 'Dijkstra',
  'Durkheim', 'Dürer', 'English', 'Euclid', 'Falstaff', 'Fubini', 'Gram', 'Green', 'Grimm', 'Hamlet', 'Hardy', 'Hermitian',
  'Hobbes', 'Japanese', 'Kant', 'Kirchhoff', 'Lear ', 'Leonardo', 'Marbury', 'Markovnikov', 'Marx', 'Mendel', 'Mill ', 'Napoleon',
  'Newton', 'Nozick', 'Othello', 'Prospero', 'Protestant', 'Richard', 'Shylock', 'Solidarity in', 'Sonnet', 'Stokes', 'Thomson',
  'Turner', 'Weber',
].join('|')})`)

/**
 * Lecture notes on one topic.
 * @param isWhole the topic is all there is in the document, whose title names it already.
 */
export function composeLecture(topic: Topic, random: Random, isWhole: boolean): Block[] {
  const facts = random.shuffle(topic.facts)
  const [figure, ...figures] = topic.figures
  const terms = random.shuffle(topic.definitions.map(({ term }) => term))
  const head = (text: string): Block => ({ kind: isWhole ? 'section' : 'heading', text })
  const formula = (text: string): Block[] => [
    { kind: 'formula', text },
    { kind: 'paragraph', text: random.pick(formulaNotes) },
  ]
  const blocks: (Block | undefined)[] = [
    isWhole ? undefined : { kind: 'section', text: topic.name },
    { kind: 'paragraph', text: `${say(random, openings, topic)} ${random.pick(voices)}` },
    head('What the words mean'),
    ...topic.definitions.flatMap((definition, index): Block[] => [
      { kind: 'definition', ...definition },
      ...(facts[index] && index < 2
        ? [{ kind: 'paragraph', text: `${facts[index]} ${say(random, bridges, topic)}` } as const]
        : []),
    ]),
    figure && { kind: 'figure', figure },
    head('What follows from them'),
    ...topic.formulas.slice(0, 1).flatMap(formula),
    ...facts.slice(2).map((text): Block => ({ kind: 'fact', label: random.pick(factLabels), text })),
    ...topic.formulas.slice(1).flatMap(formula),
    { kind: 'paragraph', text: `${say(random, bridges, topic)} ${random.pick(voices)}` },
    ...figures.map((one): Block => ({ kind: 'figure', figure: one })),
    head('Examples'),
    ...topic.exercises.flatMap((exercise): Block[] => [
      { kind: 'exercise', text: exercise.text, points: random.int(2, 5) },
      { kind: 'solution', text: exercise.solution },
    ]),
    head('Before the exam'),
    {
      kind: 'list',
      items: random.shuffle([
        `What is meant by ${terms[0]}? Say it without looking.`,
        `How do ${terms[0]} and ${terms[1]} belong together?`,
        `Give an example and a counterexample for ${terms.at(-1)}.`,
        `Why is it that ${lowerFirst(facts[0] ?? '').replace(/\.$/, '')}?`,
      ]),
    },
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
    ...topic.exercises.slice(0, 1).map(({ text, solution }): Block => ({ kind: 'fact', label: text, text: solution })),
    ...topic.figures
      .filter(({ kind }) => kind === 'table' || random.chance(0.4))
      .map((figure): Block => ({ kind: 'figure', figure })),
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
      [
        { kind: 'section', text: 'What to take away' },
        { kind: 'list', items: random.shuffle(topic.facts) },
      ],
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
