import { expect, it } from 'vitest'
import { foldCourseCode } from '../../contract/course-code.ts'
import { courseParams } from '../../contract/courses.ts'
import { courseCode } from '../../contract/fields.ts'
import { migrate } from '../db/migrate.ts'
import { quietLog } from '../test/log.ts'
import { openDatabaseOfRelease } from '../test/old-release.ts'

const folded = (code: string) =>
  code
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')

it('gives codes and keys that are too long or no keys a form that is accepted, and leaves all others', async () => {
  const { databaseUrl, client } = await openDatabaseOfRelease('0035')
  try {
    await client.query(`INSERT INTO users (name, email) VALUES ('Ada', 'ada@uni.example')`)
    const codes = ['CSC-108', `0NN${'ﷺ'.repeat(29)}`, 'ΐ'.repeat(32).toUpperCase(), 'A-\u0301B1', 'ÁB1', 'Ｅ 1']
    for (const [at, code] of codes.entries()) {
      await client.query(`INSERT INTO documents (file_key, bytes, sha256) VALUES ($1, 1, '')`, [`file ${at}`])
      await client.query(
        `INSERT INTO notes (user_id, title, course_code, course_key, course_words, academic_year, is_anonymous,
                            title_words, instructor_words, document_id)
         SELECT u.id, 'Week 1', $1, $2, '', '2025–26', false, '', '', d.id FROM users u, documents d WHERE file_key = $3`,
        [code, folded(code), `file ${at}`],
      )
      await client.query(`INSERT INTO course_follows (user_id, course_key) SELECT id, $1 FROM users`, [folded(code)])
      const name = [folded(code), code, `Course ${at}`]
      await client.query(
        `INSERT INTO course_names (course_key, code, name, words, fold_version) VALUES ($1, $2, $3, '', 1)`,
        name,
      )
    }
    await migrate(databaseUrl, quietLog)

    const { rows: notes } = await client.query(
      'SELECT course_code AS code, course_key AS key FROM notes JOIN documents d ON d.id = document_id ORDER BY file_key',
    )
    expect(notes.map(({ code }) => code)).toEqual([
      'CSC-108',
      foldCourseCode(codes[1] ?? '').slice(0, 32),
      'Ϊ́'.normalize('NFC').repeat(16),
      'A-\u0301B1',
      'ÁB1',
      'Ｅ 1',
    ])
    for (const { code, key } of notes) {
      expect(courseCode.parse(code)).toBe(code)
      expect(foldCourseCode(code)).toBe(key)
    }
    for (const [table, column] of [
      ['course_names', 'course_key'],
      ['course_follows', 'course_key'],
      ['suggestions', 'key'],
    ]) {
      const { rows } = await client.query(
        `SELECT DISTINCT ${column} AS key FROM ${table} ${table === 'suggestions' ? `WHERE kind = 'course'` : ''}`,
      )
      expect(rows.map(({ key }) => key).sort()).toEqual([...new Set(notes.map(({ key }) => key))].sort())
      for (const { key } of rows) expect(courseParams.parse({ code: key })).toEqual({ code: key })
    }
    const { rows: names } = await client.query('SELECT course_key AS key, code FROM course_names')
    for (const { key, code } of names) expect(foldCourseCode(code)).toBe(key)
  } finally {
    await client.end()
  }
})
