import { z } from 'zod'
import { messages } from '../../../packages/contract/fields.ts'
import {
  casePageSize,
  type DecisionPage,
  decisionsPageSize,
  type HiddenNotes,
  type ModerationCase,
  maxQuestions,
  type NewDecision,
  type OwnModerationCase,
  type Question,
  type Queue,
} from '../../../packages/contract/moderation.ts'
import { detailNames, type Note } from '../../../packages/contract/notes.ts'
import type { Deps } from '../../dependencies.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { Viewer } from '../../platform/db/viewer.ts'
import { fail } from '../../platform/http/api-error.ts'
import { assertCurrentVersion } from '../../platform/http/versions.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { countModerators } from '../accounts/users/users.ts'
import { recordAudit } from '../administration/audit/audit.ts'
import { assertRole } from '../auth/roles/roles.ts'
import {
  assertOfferedYear,
  correctNote,
  getNote,
  type LockedNote,
  lockReachableNote,
  setHidden,
} from '../notes/notes.ts'
import { type NoteChange, versionOf } from '../notes/properties.ts'
import { findNotesById, joinNotes } from '../notes/visible-notes.ts'
import * as queries from './moderation.queries.ts'
import { notifyClaimants } from './reports/copyright-claims.ts'
import { closeReports, hasOpenReports } from './reports/reports.ts'

/**
 * The mail to a note's author: the decision or, without one, the open question. The payload does not name the author.
 */
const moderationMailPayload = z.object({ noteId: z.uuid(), decision: z.optional(z.int()) })

export const moderationMailJob = defineJob('moderation-mail', moderationMailPayload, { concurrency: 2 })

type ModerationDeps = Pick<Deps, 'db' | 'jobs' | 'config'>

/** Returns the cases that wait for a decision. */
export async function getQueue(db: Db, viewer: Viewer): Promise<Queue> {
  const waiting = await queries.findPendingCases(db, viewer, casePageSize + 1)
  const shown = await joinNotes(db, viewer, waiting.slice(0, casePageSize))
  const isAlone = (await countModerators(db)) === 1
  return { matters: shown.map(toModerationCase), hasMore: waiting.length > casePageSize, isAlone }
}

/** Returns the case of any note, pending or not. @throws note_not_found, own_note_decision */
export async function getModerationCase(db: Db, viewer: Viewer, noteId: string): Promise<ModerationCase> {
  const note = await getNote(db, viewer, noteId)
  return note.user?._id === viewer.id
    ? fail('own_note_decision')
    : toModerationCase({ ...(await queries.findCase(db, noteId)), note })
}

const toModerationCase = (
  one: queries.CaseThread & { note: Note; reports: queries.WaitingReport[] },
): ModerationCase => ({
  note: one.note,
  reports: one.reports.map(toReport),
  ...toTalk(one),
  isObjectionDecided: one.objection_decided_at !== null,
})

const toReport = ({ rule, text, at, claimant }: queries.WaitingReport) => ({
  rule,
  ...(text !== null && { text }),
  ...(claimant !== null && { claimant }),
  at: new Date(at).toISOString(),
})

const said = (text: string | null, at: Date | string | null) =>
  text !== null && at !== null ? { text, at: new Date(at).toISOString() } : null

function toTalk({ questions, ...one }: queries.CaseThread): Pick<ModerationCase, 'questions' | 'objection'> {
  const objection = said(one.objection, one.objected_at)
  return { questions: questions.map(toQuestion), ...(objection && { objection }) }
}

function toQuestion({ id, text, at, answer: answered, answeredAt }: queries.AskedQuestion): Question {
  const answer = said(answered, answeredAt)
  return { id, text, at: new Date(at).toISOString(), ...(answer && { answer }) }
}

export async function listHidden(db: Db, viewer: Viewer, after?: [at: string, noteId: string]): Promise<HiddenNotes> {
  const ids = await queries.findHidden(db, viewer, after, casePageSize + 1)
  return { notes: await findNotesById(db, viewer, ids.slice(0, casePageSize)), hasMore: ids.length > casePageSize }
}

/**
 * Decides on a note and closes its reports. The decision is published without names; the audit log has the moderator.
 * @throws note_not_found, own_note_decision, outdated, nothing_to_decide, new_reports, invalid_input
 */
export function decideOnNote(
  { db, jobs, config }: ModerationDeps,
  viewer: Viewer,
  noteId: string,
  decision: NewDecision,
  ifMatch: string | undefined,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const note = await lockForDecision(tx, viewer, noteId)
    assertCurrentVersion(ifMatch, versionOf(noteId, note))
    const talk = await queries.findCase(tx, noteId)
    // A restored note, such as one hidden by a suspension, keeps its open reports: they are not decided by that.
    const isOfHiding = decision.kind === 'restore' || decision.kind === 'uphold'
    const { closed, claimIds } = isOfHiding ? { closed: 0, claimIds: [] } : await closeReports(tx, noteId)
    if (!isDecisionPossible(decision, note, closed, talk)) fail('nothing_to_decide')
    if ('reportsRead' in decision && closed > (decision.reportsRead ?? closed)) fail('new_reports')
    await applyDecision(tx, noteId, note, decision, config.academicYearStartMonth)
    if (!isOfHiding) await queries.deleteQuestions(tx, noteId)
    await queries.endObjection(tx, noteId, decision.kind)
    const number = await queries.insertDecision(tx, decision)
    await recordAudit(tx, viewer, 'decision', noteId, { kind: decision.kind, decision: String(number) })
    await notifyClaimants(jobs, tx, claimIds, number)
    // When the note is kept unchanged, the author gets a mail only if the moderators had asked a question.
    if (decision.kind !== 'keep' || talk.questions.length > 0)
      await jobs.enqueue(tx, moderationMailJob, { noteId, decision: number })
  })
}

/**
 * Locks the note, so that no other decision on it is made until the transaction ends.
 * @throws not_found, unauthorized, note_not_found, own_note_decision
 */
async function lockForDecision(tx: Tx, viewer: Viewer, noteId: string): Promise<LockedNote> {
  const note = (await lockReachableNote(tx, viewer, noteId)) ?? fail('note_not_found')
  await assertRole(tx, viewer, 'moderator')
  return note.ownerId === viewer.id ? fail('own_note_decision') : note
}

/** Returns false if another moderator decided first. */
function isDecisionPossible(
  decision: NewDecision,
  { isHidden }: LockedNote,
  reports: number,
  talk: queries.CaseThread,
) {
  if (decision.kind === 'restore') return isHidden
  if (decision.kind === 'uphold') return isHidden && talk.objected_at !== null && talk.objection_decided_at === null
  return !isHidden && (reports > 0 || (decision.kind === 'hide' && decision.reportsRead === 0))
}

async function applyDecision(tx: Tx, noteId: string, note: LockedNote, decision: NewDecision, startMonth: number) {
  if (decision.kind === 'hide') await setHidden(tx, noteId, decision)
  if (decision.kind === 'restore') await setHidden(tx, noteId, null)
  if (decision.kind !== 'correct') return
  const { details } = decision
  const changed = detailNames.filter((name) => details[name] !== undefined && details[name] !== note[name])
  if (changed.length === 0) fail('invalid_input', { fields: { courseCode: messages.changeSomething } })
  const change: NoteChange = Object.fromEntries(changed.map((name) => [name, details[name]]))
  if (change.academicYear) assertOfferedYear(change.academicYear, startMonth)
  await correctNote(tx, noteId, change)
}

/** @throws note_not_found, own_note_decision, nothing_to_decide, question_open, too_many_questions */
export function askAuthor(
  { db, jobs }: ModerationDeps,
  viewer: Viewer,
  noteId: string,
  question: string,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const { isHidden } = await lockForDecision(tx, viewer, noteId)
    if (isHidden || !(await hasOpenReports(tx, noteId))) fail('nothing_to_decide')
    const { questions } = await queries.findCase(tx, noteId)
    if (questions.some(({ answer }) => answer === null)) fail('question_open')
    if (questions.length >= maxQuestions) fail('too_many_questions', { values: { max: maxQuestions } })
    await queries.insertQuestion(tx, noteId, question)
    await recordAudit(tx, viewer, 'decision', noteId, { kind: 'ask' })
    await jobs.enqueue(tx, moderationMailJob, { noteId })
  })
}

/** Returns the moderation cases of the viewer's own notes. */
export async function listOwnModerationCases(db: Db, viewer: Viewer): Promise<OwnModerationCase[]> {
  const found = await joinNotes(db, viewer, await queries.findOwnCases(db, viewer))
  return found.map(({ note, willReturn, ...one }) => {
    const mayObject = note.hidden !== undefined && !willReturn && one.objected_at === null
    return { note, ...toTalk(one), mayObject, isObjectionDecided: one.objection_decided_at !== null }
  })
}

/** @throws note_not_found, not_asked, question_replaced */
export function answerModeratorQuestion(
  db: Db,
  viewer: Viewer,
  noteId: string,
  { text, questionId }: { text: string; questionId: string },
): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockOwn(tx, viewer, noteId)
    const open = (await queries.findOpenQuestion(tx, noteId)) ?? fail('not_asked')
    if (open.id !== questionId) fail('question_replaced')
    await queries.saveAnswer(tx, questionId, text)
  })
}

/** An author may object once each time moderators hide a note. @throws note_not_found, nothing_to_object */
export function submitObjection(db: Db, viewer: Viewer, noteId: string, objection: string): Promise<void> {
  return inTransaction(db, async (tx) => {
    const { isHidden, willReturn } = await lockOwn(tx, viewer, noteId)
    if (!isHidden || willReturn || !(await queries.saveObjection(tx, noteId, objection))) fail('nothing_to_object')
  })
}

async function lockOwn(tx: Tx, viewer: Viewer, noteId: string): Promise<LockedNote> {
  const note = await lockReachableNote(tx, viewer, noteId)
  return note?.ownerId === viewer.id ? note : fail('note_not_found')
}

/** Returns the decisions that all members can read. */
export async function listDecisions(db: Db, before: number | undefined): Promise<DecisionPage> {
  const found = await queries.findDecisions(db, before, decisionsPageSize + 1)
  return { decisions: found.slice(0, decisionsPageSize), hasMore: found.length > decisionsPageSize }
}

/**
 * Removes the reason of a published decision if it names a person; only the operator can do this.
 * @returns false if there is no such decision.
 */
export function redactDecision(db: Db, number: number): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    if (!(await queries.redactDecision(tx, number))) return false
    await recordAudit(tx, null, 'decision', null, { kind: 'redact', decision: String(number) })
    return true
  })
}
