import * as z from 'zod/mini'
import { academicYear, count, courseCode, optionalLine, text, timestamp } from './fields.ts'
import { instructorLength } from './limits.ts'
import { note } from './notes.ts'
import { rules } from './rules.ts'
import { moderationMessages, statementLength } from './statements.ts'

/** What moderators and authors write to each other, and what members read. */
const statement = text(statementLength.max, moderationMessages.statement)
export const statementBody = z.object({ text: statement })

const grounds = { rule: z.enum(rules), reason: statement }
const kept = z.object({ kind: z.literal('keep'), ...grounds })
/** An instructor that is missing or blank is removed. */
const corrected = z.object({
  kind: z.literal('correct'),
  ...grounds,
  courseCode,
  academicYear,
  instructor: optionalLine(instructorLength.max),
})
const hidden = z.object({ kind: z.literal('hide'), ...grounds })
const restored = z.object({ kind: z.literal('restore'), ...grounds })
/** It stays hidden, whatever its author had to say. */
const upheld = z.object({ kind: z.literal('uphold'), ...grounds })
export const newDecision = z.discriminatedUnion('kind', [kept, corrected, hidden, restored, upheld])
export type NewDecision = z.infer<typeof newDecision>

export const decisionKinds = ['keep', 'correct', 'hide', 'restore', 'uphold'] as const
export type DecisionKind = (typeof decisionKinds)[number]

/** As all members read it: of what kind, by which rule, why and when; never who, and never of which note. */
export const decision = z.object({
  number: count,
  kind: z.enum(decisionKinds),
  rule: z.enum(rules),
  reason: z.string(),
  decidedAt: timestamp,
})
export type Decision = z.infer<typeof decision>
export const decisionsPageSize = 24
export const decisionsQuery = z.object({
  /** The number of the last one held. */
  before: z.optional(
    z.pipe(
      z.string().check(z.regex(/^\d{1,15}$/)),
      z.transform((digits) => Number(digits)),
    ),
  ),
})
export const decisionPage = z.object({ decisions: z.array(decision), hasMore: z.boolean() })
export type DecisionPage = z.infer<typeof decisionPage>

const said = z.object({ text: z.string(), at: timestamp })
const talk = {
  /** What the author is asked, and what they answered. */
  question: z.optional(said),
  answer: z.optional(said),
  /** What the author has to say against the note being hidden. */
  objection: z.optional(said),
}

/** A note that waits for a decision. Which student reported it is not told; who has no account gives a name. */
export const matter = z.object({
  note,
  reports: z.array(
    z.object({
      rule: z.enum(rules),
      text: z.optional(z.string()),
      at: timestamp,
      claimant: z.optional(z.string()),
    }),
  ),
  ...talk,
})
export type Matter = z.infer<typeof matter>
/** So many are shown; those behind them come when these are decided. */
export const mattersShown = 50
/** Oldest first; those whose authors have not answered yet come last. `isAlone`: nobody else could decide on one's own. */
export const queue = z.object({ matters: z.array(matter), hasMore: z.boolean(), isAlone: z.boolean() })
export type Queue = z.infer<typeof queue>
/** Hidden last comes first. */
export const hiddenNotes = z.object({ notes: z.array(note), hasMore: z.boolean() })
export type HiddenNotes = z.infer<typeof hiddenNotes>

/** What the moderators have to do with a note of one's own. */
export const ownMatter = z.object({ note, ...talk, mayObject: z.boolean(), isObjectionDecided: z.boolean() })
export type OwnMatter = z.infer<typeof ownMatter>
export const ownMatters = z.object({ matters: z.array(ownMatter) })
