import { type Selectable, sql } from 'kysely'
import type { DecisionKind } from '../../../packages/contract/moderation.ts'
import { answerDays } from '../../../packages/contract/moderation-limits.ts'
import type { Rule } from '../../../packages/contract/moderation-rules.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import type { ModerationObjections } from '../../platform/db/schema.ts'
import { hasChangedRow, inSeconds } from '../../platform/db/sql.ts'
import type { Viewer } from '../../platform/db/viewer.ts'
import { accessibleNotes, ownNotes, willReturn } from '../notes/visible-notes.ts'
import { openReports } from './reports/reports.ts'

/** In the form of PostgreSQL's JSON. `answer` is null until the author answers. */
export type AskedQuestion = { id: string; text: string; at: string; answer: string | null; answeredAt: string | null }
/** The questions, answers and objection of a case. */
export type CaseThread = Omit<Selectable<ModerationObjections>, 'note_id'> & { questions: AskedQuestion[] }
/** For SELECT, with notes named `n` and their `moderation_objections` named `m`. */
const selectThread = sql`m.objection, m.objected_at, m.objection_decided_at, coalesce((
  SELECT json_agg(json_build_object('id', q.id, 'text', q.question, 'at', q.asked_at, 'answer', q.answer,
                                    'answeredAt', q.answered_at) ORDER BY q.asked_at, q.id)
    FROM moderation_questions q WHERE q.note_id = n.id), '[]') AS questions`
const waitsForAuthor = sql`EXISTS (
  SELECT FROM moderation_questions q
   WHERE q.note_id = n.id AND q.answered_at IS NULL AND q.asked_at > ${inSeconds(-answerDays * 24 * 3600)})`

/** `claimant`: the name in a claim; null for a report. */
export type WaitingReport = { rule: Rule; text: string | null; at: string; claimant: string | null }
export type WaitingNote = CaseThread & { noteId: string; reports: WaitingReport[] }

/**
 * For FROM: reported notes and notes with an open objection. Excludes the viewer's own notes, and notes while a
 * suspension hides them.
 */
const pendingCases = (viewer: Viewer) => sql<{ id: string; since: Date; reports: WaitingReport[] | null }>`(
  SELECT n.id, w.since, w.reports
    FROM (
      SELECT coalesce(r.note_id, o.note_id) AS note_id, least(r.since, o.objected_at) AS since, r.reports
        FROM (SELECT note_id, min(reported_at) AS since, ${reportsAsJson} AS reports FROM ${openReports} r GROUP BY note_id) r
        FULL JOIN (
          SELECT note_id, objected_at FROM moderation_objections
           WHERE objected_at IS NOT NULL AND objection_decided_at IS NULL) o ON o.note_id = r.note_id) w
    JOIN ${accessibleNotes(viewer)} n ON n.id = w.note_id AND n.user_id IS DISTINCT FROM ${viewer.id}
     AND NOT ${willReturn})`

/** Times are cut to the minute, because seconds could identify the user who viewed the note at that moment. */
const reportsAsJson = sql`
  json_agg(json_build_object('rule', rule, 'text', text, 'at', date_trunc('minute', reported_at), 'claimant', claimant)
    ORDER BY reported_at)`

/** Returns the longest waiting cases first, but cases that wait for an author's answer last. */
export async function findPendingCases(db: Db, viewer: Viewer, limit: number): Promise<WaitingNote[]> {
  const { rows } = await sql<WaitingNote>`
    SELECT n.id AS "noteId", coalesce(n.reports, '[]') AS reports, ${selectThread}
      FROM ${pendingCases(viewer)} n LEFT JOIN moderation_objections m ON m.note_id = n.id
     ORDER BY ${waitsForAuthor}, n.since, n.id
     LIMIT ${sql.lit(limit)}`.execute(db)
  return rows
}

/** Excludes cases that wait for an author's answer. */
export async function countPendingCases(db: Db, viewer: Viewer): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM ${pendingCases(viewer)} n WHERE NOT ${waitsForAuthor}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Returns the case of any note, pending or not. */
export async function findCase(db: Db, noteId: string): Promise<CaseThread & Pick<WaitingNote, 'reports'>> {
  const { rows } = await sql<WaitingNote>`
    SELECT coalesce((SELECT ${reportsAsJson} FROM ${openReports} r WHERE r.note_id = n.id), '[]') AS reports, ${selectThread}
      FROM (SELECT ${noteId}::uuid AS id) n LEFT JOIN moderation_objections m ON m.note_id = n.id`.execute(db)
  const [said] = rows
  if (!said) throw new Error('The query returned no row')
  return said
}

/**
 * Returns the last hidden note first. Excludes the viewer's own notes and those a suspension hides, which return with
 * its end.
 * @param after `hidden_at` and id of the last note of the previous page.
 */
export async function findHidden(
  db: Db,
  viewer: Viewer,
  after: [at: string, noteId: string] | undefined,
  limit: number,
): Promise<string[]> {
  const further = after
    ? sql`AND n.hidden_at <= ${after[0]} AND (n.hidden_at < ${after[0]} OR n.id > ${after[1]})`
    : sql``
  const { rows } = await sql<{ id: string }>`
    SELECT n.id FROM ${accessibleNotes(viewer)} n
     WHERE n.hidden_at IS NOT NULL AND NOT ${willReturn} AND n.user_id IS DISTINCT FROM ${viewer.id} ${further}
     ORDER BY n.hidden_at DESC, n.id LIMIT ${sql.lit(limit)}`.execute(db)
  return rows.map(({ id }) => id)
}

type OwnCase = CaseThread & { noteId: string; willReturn: boolean }

/** Returns the viewer's own notes that are hidden or have a question. */
export async function findOwnCases(db: Db, viewer: Viewer): Promise<OwnCase[]> {
  const { rows } = await sql<OwnCase>`
    SELECT n.id AS "noteId", ${willReturn} AS "willReturn", ${selectThread}
      FROM ${ownNotes(viewer)} n
      LEFT JOIN moderation_objections m ON m.note_id = n.id
      LEFT JOIN (SELECT note_id, max(asked_at) AS at FROM moderation_questions GROUP BY note_id) asked
        ON asked.note_id = n.id
     WHERE n.hidden_at IS NOT NULL OR asked.at IS NOT NULL
     ORDER BY greatest(n.hidden_at, asked.at) DESC, n.id`.execute(db)
  return rows
}

const now = sql<Date>`now()`

/** A unique index allows only one unanswered question per note. */
export async function insertQuestion(tx: Tx, noteId: string, question: string): Promise<void> {
  await tx.insertInto('moderation_questions').values({ note_id: noteId, question }).execute()
}

/** Returns the unanswered question. */
export async function findOpenQuestion(db: Db, noteId: string): Promise<{ id: string; question: string } | null> {
  const row = await db
    .selectFrom('moderation_questions')
    .select(['id', 'question'])
    .where('note_id', '=', noteId)
    .where('answered_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

export async function saveAnswer(tx: Tx, questionId: string, answer: string): Promise<void> {
  await tx.updateTable('moderation_questions').set({ answer, answered_at: now }).where('id', '=', questionId).execute()
}

/** @returns false if the note already has an objection. */
export async function saveObjection(tx: Tx, noteId: string, objection: string): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO moderation_objections AS m (note_id, objection, objected_at) VALUES (${noteId}, ${objection}, now())
    ON CONFLICT (note_id) DO UPDATE SET objection = excluded.objection, objected_at = excluded.objected_at
     WHERE m.objected_at IS NULL
    RETURNING note_id`.execute(tx)
  return rows.length === 1
}

const nothingObjected = { objection: null, objected_at: null, objection_decided_at: null }

/** The questions of a case are deleted when its reports are closed. */
export async function deleteQuestions(tx: Tx, noteId: string): Promise<void> {
  await tx.deleteFrom('moderation_questions').where('note_id', '=', noteId).execute()
}

/** A rejected objection remains while the note is hidden; after a later hiding the author may object again. */
export async function endObjection(tx: Tx, noteId: string, kind: DecisionKind): Promise<void> {
  await tx
    .updateTable('moderation_objections')
    .set(kind === 'uphold' ? { objection_decided_at: now } : nothingObjected)
    .where('note_id', '=', noteId)
    .execute()
}

export type DecisionRow = { number: number; kind: DecisionKind; rule: Rule; reason: string; decidedOn: string }

export async function insertDecision(
  tx: Tx,
  { kind, rule, reason }: Pick<DecisionRow, 'kind' | 'rule' | 'reason'>,
): Promise<number> {
  const row = await tx
    .insertInto('moderation_decisions')
    .values({ kind, rule, reason })
    .returning('number')
    .executeTakeFirstOrThrow()
  return row.number
}

const selectDecisions = (db: Db) =>
  db
    .selectFrom('moderation_decisions')
    .select(['number', 'kind', 'rule', 'reason'])
    .select(sql<string>`to_char(decided_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')`.as('decidedOn'))
    .$castTo<DecisionRow>()

export async function findDecision(db: Db, number: number): Promise<DecisionRow | null> {
  return (await selectDecisions(db).where('number', '=', number).executeTakeFirst()) ?? null
}

/** Returns the latest decision first. */
export function findDecisions(db: Db, before: number | undefined, limit: number): Promise<DecisionRow[]> {
  let select = selectDecisions(db).orderBy('number', 'desc').limit(sql.lit(limit))
  if (before !== undefined) select = select.where('number', '<', before)
  return select.execute()
}

/** Trigger `moderation_decisions_redacted` rejects any other change of a decision. @returns false if there is no such decision. */
export function redactDecision(tx: Tx, number: number): Promise<boolean> {
  return hasChangedRow(
    tx
      .updateTable('moderation_decisions')
      .set({ reason: 'The reason was removed by those who run this library.' })
      .where('number', '=', number),
  )
}
