import {
  type DecisionPage,
  decisionsPageSize,
  type HiddenNotes,
  type Matter,
  mattersShown,
  type NewDecision,
  type OwnMatter,
  type Queue,
} from '../../contract/moderation.ts'
import { writeAudit } from '../audit/audit.ts'
import type { Db, Tx } from '../db/pool.ts'
import type { Deps } from '../deps.ts'
import { fail } from '../failure.ts'
import type { Viewer } from '../http/viewer.ts'
import { correctTags, type HeldNote, lockReachableNote, refuseUnofferedYear, setHidden } from '../notes/notes.ts'
import { findNotesById } from '../notes/visible-notes.ts'
import { answerClaims } from '../reports/claims.ts'
import { closeReports, hasOpenReports } from '../reports/reports.ts'
import { countModerators } from '../users/users.ts'
import { moderationMail } from './mails.ts'
import * as queries from './moderation.queries.ts'

type ModerationDeps = Pick<Deps, 'db' | 'jobs' | 'config'>

/** What waits for a decision. */
export async function getQueue(db: Db, viewer: Viewer): Promise<Queue> {
  const waiting = await queries.findWaiting(db, viewer, mattersShown + 1)
  const shown = new Map(waiting.slice(0, mattersShown).map((one) => [one.noteId, one]))
  const notes = await findNotesById(db, viewer, [...shown.keys()])
  const matters = notes.flatMap((note): Matter[] => {
    const one = shown.get(note._id)
    return one ? [{ note, reports: one.reports.map(toReport), ...toTalk(one) }] : []
  })
  const isAlone = (await countModerators(db)) === 1
  return { matters, hasMore: waiting.length > mattersShown, isAlone }
}

const toReport = ({ rule, text, at, claimant }: queries.WaitingReport) => ({
  rule,
  ...(text !== null && { text }),
  ...(claimant !== null && { claimant }),
  at: new Date(at).toISOString(),
})

const said = (text: string | null, at: Date | null) => (text !== null && at ? { text, at: at.toISOString() } : null)

function toTalk(one: queries.Talk): Pick<Matter, 'question' | 'answer' | 'objection'> {
  const question = said(one.question, one.asked_at)
  const answer = said(one.answer, one.answered_at)
  const objection = said(one.objection, one.objected_at)
  return { ...(question && { question }), ...(answer && { answer }), ...(objection && { objection }) }
}

export async function listHidden(db: Db, viewer: Viewer): Promise<HiddenNotes> {
  const ids = await queries.findHidden(db, viewer, mattersShown + 1)
  return { notes: await findNotesById(db, viewer, ids.slice(0, mattersShown)), hasMore: ids.length > mattersShown }
}

/**
 * Decides on a note, closes what waited on it, and writes down what all members read and who it was.
 * @throws note_not_found, own_note_decision, nothing_to_decide, invalid_input
 */
export function decideOnNote(
  { db, jobs, config }: ModerationDeps,
  viewer: Viewer,
  noteId: string,
  decision: NewDecision,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const note = await lockForDecision(tx, viewer, noteId)
    const talk = await queries.findTalk(tx, noteId)
    const { closed, claimIds } = await closeReports(tx, noteId)
    if (!waitsFor(decision.kind, note, closed, talk)) fail('nothing_to_decide')
    await carryOut(tx, noteId, note, decision, config.academicYearStartMonth)
    // An objection that changed nothing counts for as long as the note is hidden; another hiding may be objected to anew.
    await queries.endTalk(tx, noteId, decision.kind === 'uphold' ? 'objection-heard' : 'all')
    const number = await queries.insertDecision(tx, decision)
    const details = { kind: decision.kind, decision: String(number) }
    await writeAudit(tx, { actorId: viewer.id, action: 'decision', subjectId: noteId, details })
    await answerClaims(jobs, tx, claimIds, number)
    // Of a note that stays as it is its author learns only where they had been asked.
    if (decision.kind !== 'keep' || talk?.asked_at) await jobs.enqueue(tx, moderationMail, { noteId, decision: number })
  })
}

/** Until the transaction ends nobody else decides on it. @throws note_not_found, own_note_decision */
async function lockForDecision(tx: Tx, viewer: Viewer, noteId: string): Promise<HeldNote> {
  const note = (await lockReachableNote(tx, viewer, noteId)) ?? fail('note_not_found')
  return note.ownerId === viewer.id ? fail('own_note_decision') : note
}

/** Whether nobody else has been quicker. */
function waitsFor(kind: NewDecision['kind'], { isHidden }: HeldNote, reports: number, talk: queries.Talk | null) {
  if (kind === 'restore') return isHidden
  if (kind === 'uphold') return isHidden && talk?.objected_at != null && talk.objection_decided_at === null
  return !isHidden && reports > 0
}

async function carryOut(tx: Tx, noteId: string, note: HeldNote, decision: NewDecision, startMonth: number) {
  if (decision.kind === 'hide') await setHidden(tx, noteId, decision)
  if (decision.kind === 'restore') await setHidden(tx, noteId, null)
  if (decision.kind !== 'correct') return
  if (decision.academicYear !== note.academicYear) refuseUnofferedYear(decision.academicYear, startMonth)
  await correctTags(tx, noteId, { ...decision, instructor: decision.instructor })
}

/** @throws note_not_found, own_note_decision, nothing_to_decide */
export function askAuthor(
  { db, jobs }: ModerationDeps,
  viewer: Viewer,
  noteId: string,
  question: string,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const { isHidden } = await lockForDecision(tx, viewer, noteId)
    if (isHidden || !(await hasOpenReports(tx, noteId))) fail('nothing_to_decide')
    await queries.saveQuestion(tx, noteId, question)
    const details = { kind: 'ask' }
    await writeAudit(tx, { actorId: viewer.id, action: 'decision', subjectId: noteId, details })
    await jobs.enqueue(tx, moderationMail, { noteId })
  })
}

/** What the moderators have to do with notes of one's own. */
export async function listOwnMatters(db: Db, viewer: Viewer): Promise<OwnMatter[]> {
  const found = new Map((await queries.findOwnMatters(db, viewer)).map((one) => [one.noteId, one]))
  const notes = await findNotesById(db, viewer, [...found.keys()])
  return notes.flatMap((note): OwnMatter[] => {
    const one = found.get(note._id)
    if (!one) return []
    const mayObject = note.hidden !== undefined && one.objected_at === null
    return [{ note, ...toTalk(one), mayObject, isObjectionDecided: one.objection_decided_at !== null }]
  })
}

/** @throws note_not_found, not_asked */
export function answerModerators(db: Db, viewer: Viewer, noteId: string, answer: string): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await lockOwn(tx, viewer, noteId)
    if (!(await queries.saveAnswer(tx, noteId, answer))) fail('not_asked')
  })
}

/** Once for each time that a note is hidden. @throws note_not_found, nothing_to_object */
export function objectToHiding(db: Db, viewer: Viewer, noteId: string, objection: string): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const { isHidden } = await lockOwn(tx, viewer, noteId)
    if (!isHidden || !(await queries.saveObjection(tx, noteId, objection))) fail('nothing_to_object')
  })
}

async function lockOwn(tx: Tx, viewer: Viewer, noteId: string): Promise<HeldNote> {
  const note = await lockReachableNote(tx, viewer, noteId)
  return note?.ownerId === viewer.id ? note : fail('note_not_found')
}

/** What all members read. */
export async function listDecisions(db: Db, before: number | undefined): Promise<DecisionPage> {
  const found = await queries.findDecisions(db, before, decisionsPageSize + 1)
  const decisions = found
    .slice(0, decisionsPageSize)
    .map(({ decidedAt, ...decision }) => ({ ...decision, decidedAt: decidedAt.toISOString() }))
  return { decisions, hasMore: found.length > decisionsPageSize }
}
