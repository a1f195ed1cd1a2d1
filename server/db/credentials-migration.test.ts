import { expect, it } from 'vitest'
import { quietLog } from '../test/log.ts'
import { openDatabaseOfRelease } from '../test/old-release.ts'
import { migrate } from './migrate.ts'

it('takes over users with passwords, notes, ratings and sessions, and refuses to remove them by a cascade', async () => {
  const { databaseUrl, client } = await openDatabaseOfRelease('0005')
  try {
    await client.query(`
      INSERT INTO users (name, email, password_hash)
      SELECT 'Student ' || n, 'student' || n || '@uni.example', 'hash ' || n FROM generate_series(1, 50) n`)
    await client.query(`
      INSERT INTO notes (user_id, title, course_code, academic_year, is_anonymous, course_key, title_words,
                         instructor_words, file_key, file_bytes, file_sha256, likes)
      SELECT id, 'Week 1', 'MAT137', '2025–26', false, 'mat137', '', '', email, 1, '', 1 FROM users`)
    await client.query(`
      INSERT INTO ratings (user_id, note_id, liked)
      SELECT u.id, n.id, true FROM users u JOIN notes n ON n.file_key <> u.email AND right(n.file_key, 20) < right(u.email, 20)`)
    await client.query(`INSERT INTO sessions (user_id, expires_at) SELECT id, now() + interval '1 day' FROM users`)
    const all = 'SELECT id, name, email, password_hash FROM'
    const { rows: old } = await client.query(`${all} users ORDER BY id`)

    await migrate(databaseUrl, quietLog)

    const { rows } = await client.query(`${all} users JOIN passwords ON user_id = id ORDER BY id`)
    expect(rows).toEqual(old)
    expect(rows).toHaveLength(50)
    const { rows: roles } = await client.query('SELECT DISTINCT role FROM users')
    expect(roles).toEqual([{ role: 'student' }])
    await expect(client.query(`DELETE FROM users WHERE email = 'student1@uni.example'`)).rejects.toThrow('violates')
    const { rows: counts } = await client.query(
      'SELECT (SELECT count(*)::int FROM sessions) AS sessions, (SELECT count(*)::int FROM notes) AS notes',
    )
    expect(counts).toEqual([{ sessions: 50, notes: 50 }])
  } finally {
    await client.end()
  }
})
