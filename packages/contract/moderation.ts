import * as z from 'zod/mini'
import {
  academicYear,
  clearableInstructor,
  count,
  courseCode,
  id,
  multiLineText,
  placeAfter,
  timestamp,
} from './fields.ts'
import { moderationMessages, statementLength } from './moderation-limits.ts'
import { rules } from './moderation-rules.ts'
import { note } from './notes.ts'

/** What moderators and authors write to each other, and what members read. */
const statement = multiLineText(statementLength.max, moderationMessages.statement)
export const statementBody = z.object({ text: statement })
/** `questionId`: what it answers, as its author has read it. */
export const answerBody = z.object({ text: statement, questionId: id })

const decisionKinds = ['keep', 'correct', 'hide', 'restore', 'uphold'] as const
export type DecisionKind = (typeof decisionKinds)[number]

const decided = <Kind extends DecisionKind>(kind: Kind) => ({
  kind: z.literal(kind),
  rule: z.enum(rules),
  reason: statement,
})
const kept = z.object(decided('keep'))
/** What is left out stays as it is; an instructor that is null or blank is removed. */
const corrected = z.object({
  ...decided('correct'),
  courseCode: z.optional(courseCode),
  academicYear: z.optional(academicYear),
  instructor: clearableInstructor,
})
/** `withoutReport`: nobody has reported it, or not again. Who decides on a report says nothing of it. */
const hidden = z.object({ ...decided('hide'), withoutReport: z.optional(z.boolean()) })
const restored = z.object(decided('restore'))
/** It stays hidden, whatever its author had to say. */
const upheld = z.object(decided('uphold'))
export const newDecision = z.discriminatedUnion('kind', [kept, corrected, hidden, restored, upheld])
export type NewDecision = z.infer<typeof newDecision>

/**
 * As all members read it: of what kind, by which rule, why and on which day (UTC); never who, and never of which note, which
 * the very moment would tell to whoever watches the lists.
 */
const decision = z.object({
  number: count,
  kind: z.enum(decisionKinds),
  rule: z.enum(rules),
  reason: z.string(),
  decidedOn: z.iso.date(),
})
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

const caseMessage = z.object({ text: z.string(), at: timestamp })
const question = z.object({ id, text: z.string(), at: timestamp, answer: z.optional(caseMessage) })
export type Question = z.infer<typeof question>
/** Before a decision, one after the other. */
export const maxQuestions = 5
const caseMessages = {
  /** What the author is asked until it is decided, and what they answered, in order. Only the last one may wait. */
  questions: z.array(question),
  /** What the author has to say against the note being hidden. */
  objection: z.optional(caseMessage),
}

/**
 * A note to decide on; times of reports are told to the minute. Which student reported it is not told; who has no account
 * gives a name.
 */
export const moderationCase = z.object({
  note,
  reports: z.array(
    z.object({
      rule: z.enum(rules),
      text: z.optional(z.string()),
      at: timestamp,
      claimant: z.optional(z.string()),
    }),
  ),
  ...caseMessages,
  isObjectionDecided: z.boolean(),
})
export type ModerationCase = z.infer<typeof moderationCase>
/** So many are shown; those behind them come when these are decided. */
export const mattersShown = 50
/** Oldest first; those that wait for their authors' answers come last. `isAlone`: nobody else could decide on one's own. */
export const queue = z.object({ matters: z.array(moderationCase), hasMore: z.boolean(), isAlone: z.boolean() })
export type Queue = z.infer<typeof queue>
/** What waits for moderators, without what waits for authors. */
export const waiting = z.object({ count })
export const hiddenQuery = z.object({
  /** The last one held: when it was hidden and its id, separated by a comma. */
  after: placeAfter(z.tuple([timestamp, id])),
})
/** Hidden last comes first. */
export const hiddenNotes = z.object({ notes: z.array(note), hasMore: z.boolean() })
export type HiddenNotes = z.infer<typeof hiddenNotes>

/** What the moderators have to do with a note of one's own. */
const ownModerationCase = z.object({ note, ...caseMessages, mayObject: z.boolean(), isObjectionDecided: z.boolean() })
export type OwnModerationCase = z.infer<typeof ownModerationCase>
export const ownModerationCases = z.object({ matters: z.array(ownModerationCase) })
