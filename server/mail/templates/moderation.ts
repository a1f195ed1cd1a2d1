import type { DecisionKind } from '../../../contract/moderation.ts'
import { type Rule, ruleNames } from '../../../contract/rules.ts'
import type { Mail } from '../mailer.ts'
import { writeLetter } from './write-letter.ts'

type Decided = { kind: DecisionKind; rule: Rule; reason: string }

const subjects: Record<DecisionKind, string> = {
  keep: 'A note of yours stays as it is',
  correct: 'A note of yours was put right',
  hide: 'A note of yours was hidden',
  restore: 'A note of yours is back',
  uphold: 'A note of yours stays hidden',
}

const outcomes: Record<DecisionKind, (title: string) => string> = {
  keep: (title) => `The moderators have read what you answered about “${title}”. It stays as it is.`,
  correct: (title) => `The moderators have corrected the course, year or instructor of “${title}”.`,
  hide: (title) =>
    `The moderators have hidden “${title}”. Nobody but you and the moderators finds or opens it now. It keeps its likes, and you can object once.`,
  restore: (title) => `“${title}” is there for everybody again, with all the likes it had.`,
  uphold: (title) => `The moderators have read your objection. “${title}” stays hidden.`,
}

/** To the author of a note that moderators decided on. */
export function noteDecidedMail(
  to: string,
  name: string,
  publicUrl: string,
  title: string,
  { kind, rule, reason }: Decided,
): Mail {
  return writeLetter({
    to,
    name,
    subject: subjects[kind],
    paragraphs: [outcomes[kind](title), `The rule: ${ruleNames[rule]}. The reason:`, { quote: reason }],
    action: {
      label: 'See it in My Notes',
      link: `${publicUrl}/my-notes`,
      explained: 'It opens your notes. You have to be logged in.',
    },
    smallPrint: [anonymity],
  })
}

/** To the author of a note that was reported, before anything is decided. */
export function moderatorsAskMail(to: string, name: string, publicUrl: string, title: string, question: string): Mail {
  return writeLetter({
    to,
    name,
    subject: 'The moderators ask about a note of yours',
    paragraphs: [`Before they decide about “${title}”, the moderators would like to know:`, { quote: question }],
    action: {
      label: 'Answer in My Notes',
      link: `${publicUrl}/my-notes`,
      explained: 'It opens your notes. You have to be logged in.',
    },
    smallPrint: [anonymity],
  })
}

const anonymity =
  'If you shared it anonymously, the moderators do not know that it is yours. This mail was sent by Lectern itself.'
