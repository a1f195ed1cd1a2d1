import { expect, it } from 'vitest'
import { migrate } from '../db/migrate.ts'
import { quietLog } from '../test/log.ts'
import { openDatabaseOfRelease } from '../test/old-release.ts'

it('takes the files of existing notes over, and nothing else changes', async () => {
  const { databaseUrl, client } = await openDatabaseOfRelease('0005')
  try {
    await client.query(`
      INSERT INTO users (name, email, password_hash) VALUES ('Ada', 'ada@uni.example', 'x'), ('Ben', 'ben@uni.example', 'x');
      INSERT INTO notes (user_id, title, course_code, course_key, academic_year, instructor, is_anonymous, title_words,
                         instructor_words, file_key, file_bytes, file_sha256, likes)
      SELECT id, 'Week ' || i, 'MAT137', 'MAT137', '2025–26', 'Dr. Noor', i % 2 = 0, 'week', 'noor',
             md5(email || i), 1000 + i, decode(md5(email || i), 'hex'), 1
        FROM users, generate_series(1, 100) AS i;
      INSERT INTO ratings (user_id, note_id, liked)
      SELECT users.id, notes.id, true FROM users JOIN notes ON notes.user_id <> users.id;
      INSERT INTO recently_viewed (user_id, note_id, position) SELECT user_id, id, 0 FROM notes LIMIT 1;
      INSERT INTO file_removals (file_key, due_at) VALUES ('deleted before', now())`)
    const read = async (facts: string, from: string) =>
      (
        await client.query(`SELECT notes.id, user_id, title, instructor, is_anonymous, notes.created_at, ${facts}
                             FROM ${from} ORDER BY notes.id`)
      ).rows
    const before = await read('file_key, file_bytes AS bytes, file_sha256 AS sha256', 'notes')

    await migrate(databaseUrl, quietLog)
    expect(await read('file_key, bytes, sha256', 'notes JOIN documents ON documents.id = document_id')).toEqual(before)
    const { rows } = await client.query(`
      SELECT (SELECT count(*) FROM documents)::int AS documents, (SELECT count(*) FROM ratings)::int AS ratings,
             (SELECT count(*) FROM recently_viewed)::int AS viewed, (SELECT count(*) FROM file_removals)::int AS removals`)
    expect(rows).toEqual([{ documents: 200, ratings: 200, viewed: 1, removals: 1 }])

    await client.query(`DELETE FROM notes USING users WHERE users.id = user_id AND name = 'Ada'`)
    const released = await client.query('SELECT file_key FROM file_removals')
    expect(released.rowCount).toBe(101)
    expect((await client.query('SELECT FROM documents')).rowCount).toBe(100)
  } finally {
    await client.end()
  }
})

it('makes the notes of the release before searchable, and lets their documents be read', async () => {
  const { databaseUrl, client } = await openDatabaseOfRelease('0009')
  try {
    await client.query(`
      INSERT INTO users (name, email) VALUES ('Ada', 'ada@uni.example');
      WITH d AS (
        INSERT INTO documents (file_key, bytes, sha256)
        SELECT md5(i::text), 1000, '\\x00' FROM generate_series(1, 200) AS i RETURNING id)
      INSERT INTO notes (user_id, title, course_code, course_key, academic_year, instructor, is_anonymous, title_words,
                         instructor_words, document_id)
      SELECT users.id, 'Théorie des graphes', 'MAT 137', 'MAT137', '2025–26', 'Dr. Noor', false, 'theorie des graphes',
             'dr noor', d.id
        FROM users, d`)
    await migrate(databaseUrl, quietLog)
    const { rows } = await client.query(`
      SELECT (SELECT count(*) FROM search_entries WHERE words @@ '''!graphes''')::int AS found,
             (SELECT count(*) FROM documents WHERE asked_at IS NULL AND text_state = 'none' AND picture_state = 'none')::int AS unread,
             (SELECT array_agg(text || ' ' || notes ORDER BY kind) FROM suggestions) AS suggestions,
             (SELECT count(*) FROM notes WHERE fold_version = 0)::int AS to_be_folded`)
    const suggestions = ['MAT 137 200', 'Dr. Noor 200', 'Théorie des graphes 200']
    expect(rows).toEqual([{ found: 200, unread: 200, suggestions, to_be_folded: 200 }])
  } finally {
    await client.end()
  }
})
