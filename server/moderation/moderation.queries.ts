import { sql } from 'kysely'
import type { DecisionKind } from '../../contract/moderation.ts'
import type { Rule } from '../../contract/rules.ts'
import type { Db, Tx } from '../db/pool.ts'
import type { Viewer } from '../http/viewer.ts'
import { ownNotes, reachableNotes } from '../notes/visible-notes.ts'
import { openReports } from '../reports/reports.ts'

/** What the moderators and the author of a note have said. */
export type Talk = {
  question: string | null
  asked_at: Date | null
  answer: string | null
  answered_at: Date | null
  objection: string | null
  objected_at: Date | null
  objection_decided_at: Date | null
}
const talk = sql`m.question, m.asked_at, m.answer, m.answered_at, m.objection, m.objected_at, m.objection_decided_at`

/** `claimant`: the name of somebody without an account. */
export type WaitingReport = { rule: Rule; text: string | null; at: string; claimant: string | null }
export type WaitingNote = Talk & { noteId: string; reports: WaitingReport[] }

/**
 * Notes that were reported and notes whose authors object, those that wait longest first, and those whose authors have to
 * answer first last. None of the viewer's own, and none that is hidden as long as its account is suspended.
 */
export async function findWaiting(db: Db, viewer: Viewer, limit: number): Promise<WaitingNote[]> {
  const { rows } = await sql<WaitingNote>`
    SELECT n.id AS "noteId", coalesce(w.reports, '[]') AS reports, ${talk}
      FROM (
        SELECT coalesce(r.note_id, o.note_id) AS note_id, least(r.since, o.objected_at) AS since, r.reports
          FROM (
            SELECT note_id, min(reported_at) AS since,
                   json_agg(json_build_object('rule', rule, 'text', text, 'at', reported_at, 'claimant', claimant)
                     ORDER BY reported_at) AS reports
              FROM ${openReports} r GROUP BY note_id) r
          FULL JOIN (
            SELECT note_id, objected_at FROM moderated_notes
             WHERE objected_at IS NOT NULL AND objection_decided_at IS NULL) o ON o.note_id = r.note_id) w
      JOIN ${reachableNotes(viewer)} n ON n.id = w.note_id AND n.user_id IS DISTINCT FROM ${viewer.id}
       AND NOT n.hidden_by_suspension
      LEFT JOIN moderated_notes m ON m.note_id = n.id
     ORDER BY m.asked_at IS NOT NULL AND m.answered_at IS NULL, w.since, n.id
     LIMIT ${sql.lit(limit)}`.execute(db)
  return rows
}

/** Hidden last comes first. None of the viewer's own, and none whose account is suspended: they come back with it. */
export async function findHidden(db: Db, viewer: Viewer, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT n.id FROM ${reachableNotes(viewer)} n
     WHERE n.hidden_at IS NOT NULL AND NOT n.hidden_by_suspension AND n.user_id IS DISTINCT FROM ${viewer.id}
     ORDER BY n.hidden_at DESC, n.id LIMIT ${sql.lit(limit)}`.execute(db)
  return rows.map(({ id }) => id)
}

/** One's own notes that are hidden, and those that one is asked about. */
export async function findOwnMatters(db: Db, viewer: Viewer): Promise<(Talk & { noteId: string })[]> {
  const { rows } = await sql<Talk & { noteId: string }>`
    SELECT n.id AS "noteId", ${talk}
      FROM ${ownNotes(viewer)} n LEFT JOIN moderated_notes m ON m.note_id = n.id
     WHERE n.hidden_at IS NOT NULL OR m.asked_at IS NOT NULL
     ORDER BY greatest(n.hidden_at, m.asked_at) DESC, n.id`.execute(db)
  return rows
}

export async function findTalk(db: Db, noteId: string): Promise<Talk | null> {
  const row = await db.selectFrom('moderated_notes').selectAll().where('note_id', '=', noteId).executeTakeFirst()
  return row ?? null
}

const now = sql<Date>`now()`

/** Another question takes the place of the one before. */
export async function saveQuestion(tx: Tx, noteId: string, question: string): Promise<void> {
  const asked = { question, asked_at: now, answer: null, answered_at: null }
  await tx
    .insertInto('moderated_notes')
    .values({ note_id: noteId, ...asked })
    .onConflict((conflict) => conflict.column('note_id').doUpdateSet(asked))
    .execute()
}

/** @returns false where nothing is asked, or it is answered. */
export async function saveAnswer(tx: Tx, noteId: string, answer: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('moderated_notes')
    .set({ answer, answered_at: now })
    .where('note_id', '=', noteId)
    .where('asked_at', 'is not', null)
    .where('answered_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** @returns false where there was one already. */
export async function saveObjection(tx: Tx, noteId: string, objection: string): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO moderated_notes AS m (note_id, objection, objected_at) VALUES (${noteId}, ${objection}, now())
    ON CONFLICT (note_id) DO UPDATE SET objection = excluded.objection, objected_at = excluded.objected_at
     WHERE m.objected_at IS NULL
    RETURNING note_id`.execute(tx)
  return rows.length === 1
}

const nothingAsked = { question: null, asked_at: null, answer: null, answered_at: null }
const nothingObjected = { objection: null, objected_at: null, objection_decided_at: null }

/** What was said before a decision is over with it. */
export async function endTalk(tx: Tx, noteId: string, over: 'all' | 'objection-heard'): Promise<void> {
  const objected = over === 'all' ? nothingObjected : { objection_decided_at: now }
  await tx
    .updateTable('moderated_notes')
    .set({ ...nothingAsked, ...objected })
    .where('note_id', '=', noteId)
    .execute()
}

export type DecisionRow = { number: number; kind: DecisionKind; rule: Rule; reason: string; decidedAt: Date }

export async function insertDecision(
  tx: Tx,
  { kind, rule, reason }: Pick<DecisionRow, 'kind' | 'rule' | 'reason'>,
): Promise<number> {
  const row = await tx
    .insertInto('decisions')
    .values({ kind, rule, reason })
    .returning('number')
    .executeTakeFirstOrThrow()
  return row.number
}

const selectDecisions = (db: Db) =>
  db
    .selectFrom('decisions')
    .select(['number', 'kind', 'rule', 'reason', 'decided_at as decidedAt'])
    .$castTo<DecisionRow>()

export async function findDecision(db: Db, number: number): Promise<DecisionRow | null> {
  return (await selectDecisions(db).where('number', '=', number).executeTakeFirst()) ?? null
}

/** The latest first. */
export function findDecisions(db: Db, before: number | undefined, limit: number): Promise<DecisionRow[]> {
  let select = selectDecisions(db).orderBy('number', 'desc').limit(sql.lit(limit))
  if (before !== undefined) select = select.where('number', '<', before)
  return select.execute()
}
