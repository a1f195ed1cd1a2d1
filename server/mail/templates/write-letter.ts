import type { Mail } from '../mailer.ts'
import { findHarmlessName } from './harmless-name.ts'
import type { Letter, Quote } from './letter.ts'
import { letterHtml } from './letter-html.ts'

/** The mail of a letter: the one way to make one. */
export function writeLetter(letter: Letter): Mail {
  const { action, entries = [], links = [], to, subject } = letter
  const greeting = greet(letter.name)
  const link = [action, ...entries, ...links].find((one) => one !== undefined)?.link
  return {
    to,
    subject,
    text: letterText(letter, greeting),
    html: letterHtml(letter, greeting),
    ...(link === undefined ? {} : { link }),
  }
}

function letterText({ paragraphs, entries = [], action, links = [], smallPrint }: Letter, greeting: string): string {
  return [
    greeting,
    ...paragraphs.map((one) => (typeof one === 'string' ? one : quoteLines(one))),
    ...entries.map(({ label, detail, link }) => `${label}\n${detail}\n${link}`),
    ...(action ? [`${action.label}:\n${action.link}`, action.explained] : []),
    ...links.map(({ label, link }) => `${label}:\n${link}`),
    ...smallPrint,
    'Happy studying,\nLectern',
    '',
  ].join('\n\n')
}

const quoteLines = ({ quote }: Quote) => quote.replace(/^/gm, '> ')

/** By the first name, as the pages do (SPEC.md section 1). */
function greet(name: string | null): string {
  const first = name === null ? undefined : findHarmlessName(name)?.split(' ')[0]
  return first === undefined ? 'Hello,' : `Hello ${first.replace(/,$/, '')},`
}
