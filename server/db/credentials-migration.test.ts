import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { createDatabase } from '../test/database.ts'
import { quietLog } from '../test/log.ts'
import { migrate } from './migrate.ts'

const folder = new URL('./migrations/', import.meta.url)
const before = (await readdir(folder)).filter((name) => name < '0005').sort()

it('takes over users with passwords, notes, ratings and sessions, and refuses to remove them by a cascade', async () => {
  const databaseUrl = await createDatabase(inject('postgresUrl'), 'lectern_migrate_credentials')
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    // A database as the version without credentials of their own left it.
    await client.query(`CREATE TABLE schema_migrations (
      name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`)
    for (const name of before) {
      const text = await readFile(new URL(name, folder), 'utf8')
      const sha256 = createHash('sha256').update(text).digest('hex')
      await client.query(text)
      await client.query('INSERT INTO schema_migrations (name, sha256) VALUES ($1, $2)', [name, sha256])
    }
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
