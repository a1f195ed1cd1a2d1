import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/pool.ts'

/** An artifact of a document, with its columns `…_state`, `…_error` and `…_attempts`. */
export type Artifact = 'text' | 'thumbnail' | 'ocr'

const state = (product: Artifact) => sql.ref(`${product}_state`)
const problem = (product: Artifact) => sql.ref(`${product}_error`)
const tries = (product: Artifact) => sql.ref(`${product}_attempts`)
const triedAt = (product: Artifact) => sql.ref(`${product}_attempted_at`)
/** Longer than the timeouts of the jobs. */
const longestTry = {
  text: sql`interval '6 minutes'`,
  thumbnail: sql`interval '6 minutes'`,
  ocr: sql`interval '31 minutes'`,
}
/**
 * With `=`, PostgreSQL would read the index of all pending documents instead, as long as its statistics are from a time
 * with fewer.
 */
const isWaiting = (product: Artifact, documentId: string) =>
  sql`id = ${documentId} AND ${state(product)} IS NOT DISTINCT FROM 'pending'`

/**
 * Returns null if the artifact is no longer needed: it is done or failed, or the note was deleted. `mayBeTrying`: the
 * last attempt may still be running, on this or another server.
 */
export async function findPending(db: Db, product: Artifact, documentId: string) {
  const { rows } = await sql<{ fileKey: string; tries: number; mayBeTrying: boolean }>`
    SELECT file_key AS "fileKey", ${tries(product)} AS tries,
           coalesce(${triedAt(product)} > now() - ${longestTry[product]}, false) AS "mayBeTrying"
      FROM documents
     WHERE ${isWaiting(product, documentId)}`.execute(db)
  return rows[0] ?? null
}

/**
 * Does not wait for the disk, because the next file waits meanwhile: the count is for files that end this server, not
 * PostgreSQL.
 * @returns the number of attempts so far; null if the artifact is no longer needed.
 */
export async function incrementAttempts(db: Db, product: Artifact, documentId: string): Promise<number | null> {
  const { rows } = await sql<{ tries: number }>`
    UPDATE documents SET ${tries(product)} = ${tries(product)} + 1, ${triedAt(product)} = now()
      FROM set_config('synchronous_commit', 'off', true)
     WHERE ${isWaiting(product, documentId)} RETURNING ${tries(product)} AS tries`.execute(db)
  return rows[0]?.tries ?? null
}

export async function decrementAttempts(db: Db, product: Artifact, documentId: string): Promise<void> {
  await sql`UPDATE documents SET ${tries(product)} = ${tries(product)} - 1
             WHERE ${isWaiting(product, documentId)} AND ${tries(product)} > 0`.execute(db)
}

export async function markFailed(db: Db, product: Artifact, documentId: string, reason: string): Promise<void> {
  await sql`UPDATE documents SET ${state(product)} = 'failed', ${problem(product)} = ${reason}
             WHERE ${isWaiting(product, documentId)}`.execute(db)
}

/**
 * Locks the document: until the transaction ends, no other transaction can write its artifacts or delete it.
 * @returns false if the artifact is no longer needed.
 */
export async function lockPending(tx: Tx, product: Artifact, documentId: string): Promise<boolean> {
  const { rows } = await sql`SELECT FROM documents WHERE ${isWaiting(product, documentId)} FOR UPDATE`.execute(tx)
  return rows.length === 1
}

export type Unprocessed = { id: string; wantsText: boolean; wantsThumbnail: boolean }

/** Jobs of this age are regarded as lost. If they are only waiting, enqueuing them again adds nothing. */
const staleAfter = sql`interval '15 minutes'`

export async function claimUnprocessed(tx: Tx, limit: number): Promise<Unprocessed[]> {
  const { rows } = await sql<Unprocessed>`
    UPDATE documents SET processing_requested_at = now()
     WHERE id IN (SELECT id FROM documents
                   WHERE ${anyWaiting} AND processing_requested_at < now() - ${staleAfter}
                   ORDER BY processing_requested_at LIMIT ${sql.lit(limit)} FOR UPDATE SKIP LOCKED)
    RETURNING id, text_state = 'pending' AS "wantsText", thumbnail_state = 'pending' AS "wantsThumbnail"`.execute(tx)
  return rows
}

/**
 * Resets failed artifacts, or all of them; recognised words are then deleted if they can be recognised again.
 * @returns the id after which the next batch starts, null at the end.
 */
export async function resetProcessing(
  db: Db,
  { all, forgetsRecognised }: { all: boolean; forgetsRecognised: boolean },
  after: string | null,
  limit: number,
): Promise<string | null> {
  const lacks = (product: Artifact) => sql<boolean>`(${all} OR ${state(product)} = 'failed')`
  // A document whose pages all have text needs no recognition; otherwise reading the text sets the state.
  const lacksWords = sql<boolean>`(ocr_state = 'failed' OR ocr_failed_pages IS NOT NULL)`
  const { rows } = await sql<{ id: string }>`
    WITH asked AS (
      UPDATE documents SET processing_requested_at = now(),
             text_state = CASE WHEN ${lacks('text')} THEN 'pending' ELSE text_state END,
             text_attempts = CASE WHEN ${lacks('text')} THEN 0 ELSE text_attempts END,
             thumbnail_state = CASE WHEN ${lacks('thumbnail')} THEN 'pending' ELSE thumbnail_state END,
             thumbnail_attempts = CASE WHEN ${lacks('thumbnail')} THEN 0 ELSE thumbnail_attempts END,
             ocr_state = CASE WHEN ${lacksWords} THEN 'pending' ELSE ocr_state END,
             ocr_attempts = CASE WHEN ${lacksWords} THEN 0 ELSE ocr_attempts END,
             ocr_requested_at = CASE WHEN ${lacksWords} THEN NULL ELSE ocr_requested_at END,
             ocr_failed_pages = NULL
       WHERE id IN (SELECT id FROM documents
                     WHERE (${after}::uuid IS NULL OR id > ${after})
                       AND (${lacks('text')} OR ${lacks('thumbnail')} OR ${lacksWords})
                     ORDER BY id LIMIT ${sql.lit(limit)})
      RETURNING id),
    forgotten AS (
      DELETE FROM document_pages
       WHERE ${forgetsRecognised} AND ocr_words IS NOT NULL AND document_id IN (SELECT id FROM asked)),
    queued AS (INSERT INTO index_queue SELECT id FROM asked)
    SELECT id FROM asked ORDER BY id`.execute(db)
  return rows.at(-1)?.id ?? null
}

export async function countPending(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) FROM documents WHERE ${anyWaiting}`.execute(db)
  return rows[0]?.count ?? 0
}

export async function listPending(db: Db, after: string | null, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM documents WHERE ${anyWaiting} AND (${after}::uuid IS NULL OR id > ${after})
     ORDER BY id LIMIT ${sql.lit(limit)}`.execute(db)
  return rows.map(({ id }) => id)
}

const anyWaiting = sql`(text_state = 'pending' OR thumbnail_state = 'pending')`

/** Counts documents by artifact and state, without documents that need no recognition. */
export async function countStates(db: Db) {
  const { rows } = await sql<{ product: Artifact; state: string; problem: string | null; count: number }>`
    SELECT product, state, problem, count(*) AS count
      FROM documents, LATERAL (VALUES ('text', text_state, text_error),
                                      ('thumbnail', thumbnail_state, thumbnail_error),
                                      ('ocr', ocr_state, ocr_error)) AS made (product, state, problem)
     WHERE NOT (product = 'ocr' AND state = 'none')
     GROUP BY product, state, problem ORDER BY product DESC, count(*) DESC`.execute(db)
  return rows
}
