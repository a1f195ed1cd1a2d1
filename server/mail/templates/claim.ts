import type { DecisionKind } from '../../../contract/moderation.ts'
import { type Rule, ruleNames } from '../../../contract/rules.ts'
import type { Mail } from '../mailer.ts'
import { writeLetter } from './write-letter.ts'

/** `noteId` of the note they named, where that is known. */
type Claimant = { email: string; name: string; noteId: string | null }
type Decided = { kind: DecisionKind; rule: Rule; reason: string }

const outcomes: Partial<Record<DecisionKind, string>> = {
  keep: 'The moderators have read what you wrote. The note stays.',
  correct: 'The moderators have read what you wrote. The note stays, with its course put right.',
  hide: 'The moderators have read what you wrote. The note is hidden: nobody but its author and the moderators finds or opens it now.',
}

/** To somebody without an account who said that a note is theirs. @param decided null: its author has deleted it. */
export function claimDecidedMail(
  { email: to, name, noteId }: Claimant,
  publicUrl: string,
  decided: Decided | null,
): Mail {
  return writeLetter({
    to,
    name,
    subject: 'What became of the note you wrote about',
    paragraphs: [
      ...(noteId === null ? [] : [`You wrote about the note ${noteId}.`]),
      ...(decided
        ? [outcomes[decided.kind] ?? '', `The rule: ${ruleNames[decided.rule]}. The reason:`, { quote: decided.reason }]
        : ['That note is not there any more.']),
    ],
    action: {
      label: 'Read the rules of the house',
      link: `${publicUrl}/rules`,
      explained: 'It opens the rules. You need no account.',
    },
    smallPrint: ['Who shared the note is told to nobody. Your name and address are deleted 30 days from now.'],
  })
}
