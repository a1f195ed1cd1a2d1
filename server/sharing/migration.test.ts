import { expect, it } from 'vitest'
import { migrate } from '../db/migrate.ts'
import { quietLog } from '../test/log.ts'
import { openDatabaseOfRelease } from '../test/old-release.ts'

it('counts what is known of the time before: likes and reading by week, readers once, nothing of one’s own', async () => {
  const { databaseUrl, client } = await openDatabaseOfRelease('0020')
  try {
    await client.query(`
      INSERT INTO users (name, email) SELECT n, n || '@uni.example' FROM unnest(ARRAY['ada', 'ben', 'cleo', 'dan']) n;
      WITH files AS (INSERT INTO documents (file_key, bytes, sha256) VALUES ('a', 1, ''), ('b', 1, '') RETURNING id, file_key)
      INSERT INTO notes (user_id, title, course_code, course_key, academic_year, is_anonymous, title_words,
                         instructor_words, document_id)
      SELECT u.id, file_key, 'MAT137', 'MAT137', '2025–26', true, 'week', '', f.id
        FROM files f, users u WHERE u.name = 'ada';
      INSERT INTO ratings (user_id, note_id, liked, created_at)
      SELECT u.id, n.id, u.name = 'ben', '2026-11-18T12:00:00Z' FROM users u, notes n WHERE u.name IN ('ben', 'cleo');
      INSERT INTO reading_positions (user_id, note_id, page, read_at)
      SELECT u.id, n.id, 2, '2026-11-11T12:00:00Z' FROM users u, notes n WHERE u.name IN ('ada', 'ben') AND n.title = 'a';
      INSERT INTO recently_viewed (user_id, note_id, position)
      SELECT u.id, n.id, 0 FROM users u, notes n WHERE u.name = 'dan' AND n.title = 'a'`)
    await migrate(databaseUrl, quietLog)
    const weeks = await client.query(`
      SELECT name, to_char(week, 'YYYY-MM-DD') AS week, opened, liked
        FROM sharing_weeks JOIN users ON id = owner_id ORDER BY week`)
    expect(weeks.rows).toEqual([
      { name: 'ada', week: '2026-11-09', opened: 1, liked: 0 },
      { name: 'ada', week: '2026-11-16', opened: 0, liked: 2 },
    ])
    const readers = await client.query(`
      SELECT r.name FROM sharing_readers JOIN users r ON r.id = reader_id JOIN users o ON o.id = owner_id
       WHERE o.name = 'ada' ORDER BY r.name`)
    expect(readers.rows.map(({ name }) => name)).toEqual(['ben', 'dan'])
  } finally {
    await client.end()
  }
})
