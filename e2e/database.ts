import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import pg from 'pg'
import type { RecognisedText } from '../contract/reading.ts'
import { unsubscribeToken } from '../server/courses/unsubscribe-token.ts'
import { deriveSecret, readOrMakeSecret } from '../server/secret.ts'
import type { ServerProcess } from '../server/test/server-process.ts'
import type { Student } from './test.ts'

/** Makes the link with this token as old as a link that nobody used in time. */
export async function expireLink(lectern: ServerProcess, token: string): Promise<void> {
  const hash = createHash('sha256').update(token).digest()
  const { rowCount } = await query(
    lectern,
    `UPDATE account_tokens SET expires_at = now() - interval '1 second' WHERE token_hash = $1`,
    [hash],
  )
  if (rowCount !== 1) throw new Error('No link has this token')
}

/** Keeps words as if they had been recognised on a page of a note, which has been read by then. */
export async function keepRecognised(
  lectern: ServerProcess,
  noteId: string,
  page: number,
  words: RecognisedText['words'],
) {
  const { rowCount } = await query(
    lectern,
    `INSERT INTO document_pages (document_id, page, text, recognised)
     SELECT document_id, $2, $3, $4 FROM notes JOIN documents d ON d.id = document_id
      WHERE notes.id = $1 AND d.text_state = 'empty'`,
    [noteId, page, words.map(({ text }) => text).join(' '), JSON.stringify(words)],
  )
  return rowCount === 1
}

/** Lists so many courses as the society does, before there are notes: their codes begin with the same letters. */
export async function listCourses(lectern: ServerProcess, letters: string, count: number): Promise<void> {
  await query(
    lectern,
    `INSERT INTO course_names (course_key, code, name, words, fold_version)
     SELECT code, code, 'Listed', to_tsvector('simple', code), 1000
       FROM generate_series(1, $2::int) n, format('%s%s', $1::text, to_char(n, 'FM000')) AS code`,
    [letters, count],
  )
}

/** What the link in this student's mails about courses carries. */
export async function unsubscribeTokenOf(lectern: ServerProcess, email: string): Promise<string> {
  const { rows } = await query<{ id: string }>(
    lectern,
    'SELECT m.id FROM course_mails m JOIN users u ON u.id = m.user_id WHERE u.email = $1',
    [email],
  )
  return unsubscribeToken(await readOrMakeSecret(lectern.dataDir), rows[0]?.id ?? '')
}

/** The files of these notes are read and drawn next, however many of other tests’ wait for that. */
export async function processFirst(lectern: ServerProcess, notes: { _id: string }[]): Promise<void> {
  await query(
    lectern,
    `UPDATE pgboss.job SET priority = 1 WHERE state < 'active'
        AND data->>'documentId' IN (SELECT document_id::text FROM notes WHERE id = ANY($1::uuid[]))`,
    [notes.map(({ _id }) => _id)],
  )
}

/** As `npm run admin -- role` does; then until the server has heard of it, which may remember what they were. */
export async function giveRole(
  lectern: ServerProcess,
  { email, accessToken }: Student,
  role: 'moderator' | 'admin',
): Promise<void> {
  await query(lectern, 'UPDATE users SET role = $2 WHERE email = $1', [email, role])
  const readRole = async () => {
    const answer = await fetch(`${lectern.url}/api/users/me`, { headers: { authorization: `Bearer ${accessToken}` } })
    return (await answer.json()).user?.role
  }
  await expect.poll(readRole).toBe(role)
}

/** As a mail server does that refuses an address again and again. */
export async function refuseMails(lectern: ServerProcess, email: string): Promise<void> {
  const hash = createHash('sha256').update(email).digest()
  await query(lectern, 'INSERT INTO refused_addresses (address_sha256) VALUES ($1)', [hash])
}

/** Puts another file in the place of a note's, as it would not be taken any more. */
export async function replaceFile(lectern: ServerProcess, noteId: string, content: Buffer): Promise<void> {
  const sha256 = createHash('sha256').update(content).digest()
  const { rows } = await query<{ file_key: string }>(
    lectern,
    `UPDATE documents d SET bytes = $2, sha256 = $3 FROM notes n WHERE n.id = $1 AND d.id = n.document_id
     RETURNING file_key`,
    [noteId, content.length, sha256],
  )
  const key = rows[0]?.file_key ?? ''
  await writeFile(join(lectern.dataDir, 'files', key.slice(0, 2), key), content)
}

/** Changes what the server keeps, where no call of its could. */
async function query<Row extends pg.QueryResultRow>({ dataDir }: ServerProcess, text: string, values: unknown[]) {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL ?? (await embeddedUrl(dataDir)) })
  await client.connect()
  try {
    return await client.query<Row>(text, values)
  } finally {
    await client.end()
  }
}

/** PostgreSQL writes its port on the fourth line of this file. */
async function embeddedUrl(dataDir: string): Promise<string> {
  const [, , , port] = (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')
  const password = deriveSecret(await readOrMakeSecret(dataDir), 'postgres')
  return `postgres://lectern:${password}@127.0.0.1:${port}/lectern`
}
