import * as z from 'zod/mini'
import { count, id, multiLineText, placeAfter, timestamp, wholeNumber } from './fields.ts'
import { moderationMessages, statementLength } from './moderation-limits.ts'
import { rules } from './moderation-rules.ts'
import { changedDetails, note } from './notes.ts'

/** A text that moderators and authors write to each other, and that members read. */
const statement = multiLineText(statementLength.max, moderationMessages.statement)
export const statementBody = z.object({ text: statement })
/** `questionId` is the question that the author has read and answers. */
export const answerBody = z.object({ text: statement, questionId: id })

const decisionKinds = ['keep', 'correct', 'hide', 'restore', 'uphold'] as const
export type DecisionKind = (typeof decisionKinds)[number]

const decided = <Kind extends DecisionKind>(kind: Kind) => ({
  kind: z.literal(kind),
  rule: z.enum(rules),
  reason: statement,
})
/**
 * `reportsRead`: the number of open reports that the moderator has read. Nothing is decided while there are more. Only
 * `hide` with 0 decides on a note without reports.
 */
const decidedOnReports = <Kind extends DecisionKind>(kind: Kind) => ({
  ...decided(kind),
  reportsRead: z.optional(count),
})
const kept = z.object(decidedOnReports('keep'))
const corrected = z.object({ ...decidedOnReports('correct'), details: z.object(changedDetails) })
const hidden = z.object(decidedOnReports('hide'))
const restored = z.object(decided('restore'))
/** The note stays hidden despite its author's objection. */
const upheld = z.object(decided('uphold'))
export const newDecision = z.discriminatedUnion('kind', [kept, corrected, hidden, restored, upheld])
export type NewDecision = z.infer<typeof newDecision>

/**
 * A decision as all members read it: kind, rule, reason and day (UTC). It names neither people nor the note, and has no
 * time of day, which would identify the note to observers of the lists.
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
  /** The number of the last decision held. */
  before: z.optional(wholeNumber(/^\d{1,15}$/)),
})
export const decisionPage = z.object({ decisions: z.array(decision), hasMore: z.boolean() })
export type DecisionPage = z.infer<typeof decisionPage>

const caseMessage = z.object({ text: z.string(), at: timestamp })
const question = z.object({ id, text: z.string(), at: timestamp, answer: z.optional(caseMessage) })
export type Question = z.infer<typeof question>
/** Maximum number of questions before a decision, asked one after the other. */
export const maxQuestions = 5
const caseMessages = {
  /** The questions to the author before a decision, with the answers, in order. Only the last one may be unanswered. */
  questions: z.array(question),
  /** The author's objection to the note being hidden. */
  objection: z.optional(caseMessage),
}

/**
 * A note to decide on; times of reports are given to the minute. Users who report stay anonymous; a claimant without an
 * account gives a name.
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
/** Maximum number of cases shown; the others follow when these are decided. */
export const casePageSize = 50
/**
 * Oldest first; cases that wait for an author's answer come last. `isAlone` means that no other moderator could decide
 * on the viewer's own notes.
 */
export const queue = z.object({ matters: z.array(moderationCase), hasMore: z.boolean(), isAlone: z.boolean() })
export type Queue = z.infer<typeof queue>
/** The number of cases that wait for moderators, without those that wait for authors. */
export const pendingCases = z.object({ count })
export const hiddenQuery = z.object({
  /** The last note held: when it was hidden and its id, separated by a comma. */
  after: placeAfter(z.tuple([timestamp, id])),
})
/** The most recently hidden note comes first. */
export const hiddenNotes = z.object({ notes: z.array(note), hasMore: z.boolean() })
export type HiddenNotes = z.infer<typeof hiddenNotes>

/** The moderation case of a note, as its author sees it. */
const ownModerationCase = z.object({ note, ...caseMessages, mayObject: z.boolean(), isObjectionDecided: z.boolean() })
export type OwnModerationCase = z.infer<typeof ownModerationCase>
export const ownModerationCases = z.object({ matters: z.array(ownModerationCase) })
