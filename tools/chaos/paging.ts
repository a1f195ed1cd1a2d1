import pg from 'pg'
import type { Seen } from './seen.ts'
import type { Stage } from './stage.ts'
import { ChaosStudent } from './student.ts'

const equal = { course: 'PAGE100', at: '2026-01-02T03:04:05.678Z' }
const mostPages = 2_000
type Listed = { _id: string; createdAt: string; likes: number }

/** Notes without files, all of one moment and without likes. */
const insertNotes = `
  WITH inserted AS (
    INSERT INTO documents (file_key, bytes, sha256, text_state, picture_state)
    SELECT gen_random_uuid(), 1, '', 'done', 'done' FROM generate_series(1, $2::int) RETURNING id)
  INSERT INTO notes (user_id, title, course_code, course_key, academic_year, is_anonymous, title_words,
                     instructor_words, document_id, created_at)
  SELECT u.id, 'Equal', $3, $3, '2025–26', false, array_to_tsvector('{equal}'), '', inserted.id, $4::timestamptz
    FROM inserted, (SELECT id FROM users WHERE email = $1) u
  RETURNING id`

/** Goes through so many equal keys while notes with the same come and go: who was there all along is seen once. */
export async function pageThrough(stage: Stage, count: number): Promise<Seen> {
  const reader = new ChaosStudent(`pages.${Date.now()}@uni.example`, stage)
  await reader.join()
  const client = new pg.Client({ connectionString: stage.databaseUrl })
  await client.connect()
  const insert = async (howMany: number): Promise<string[]> => {
    const values = [reader.email, howMany, equal.course, equal.at]
    return (await client.query<{ id: string }>(insertNotes, values)).rows.map(({ id }) => id)
  }
  const stay = new Set(await insert(count))
  const faults: string[] = []
  let [came, went] = [0, 0]
  let isOver = false

  /** Ids are random, so what comes lies before and behind every cursor. */
  async function comeAndGo(): Promise<void> {
    while (!isOver) {
      const ids = await insert(5)
      came += ids.length
      const leaving = ids.slice(0, 4)
      await client.query('DELETE FROM notes WHERE id = ANY($1)', [leaving])
      went += leaving.length
    }
  }

  async function walk(sortBy: 'createdAt' | 'likes'): Promise<number> {
    const seen = new Map<string, number>()
    let cursor: Record<string, string> = {}
    for (let page = 0; page < mostPages; page++) {
      const query = new URLSearchParams({ courseCode: equal.course, sortBy, ...cursor })
      const answer = await reader.send('GET', `/api/notes?${query}`)
      if (answer?.status !== 200) throw new Error(`A page was answered ${answer?.status}`)
      const { notes, hasMore } = answer.body as { notes: Listed[]; hasMore: boolean }
      for (const { _id } of notes) seen.set(_id, (seen.get(_id) ?? 0) + 1)
      const last = notes.at(-1)
      if (!hasMore || !last) {
        const missed = [...stay].filter((id) => !seen.has(id)).length
        const twice = [...seen.values()].filter((times) => times > 1).length
        if (missed + twice > 0) faults.push(`By ${sortBy}, ${missed} notes were missed and ${twice} seen twice`)
        return page + 1
      }
      cursor = { cursorId: last._id, cursorValue: String(last[sortBy]) }
    }
    throw new Error('The list has no end')
  }

  const coming = comeAndGo()
  const pages = [await walk('createdAt'), await walk('likes')]
  isOver = true
  await coming
  await client.query('DELETE FROM notes WHERE course_code = $1', [equal.course])
  await client.end()
  return {
    what: 'Paging over equal keys',
    facts: [
      `${count.toLocaleString('en')} notes of one moment and without likes, in ${pages.join(' and ')} pages by date and by likes, while ${came} such notes came and ${went} went: each that was there all along was seen exactly once.`,
    ],
    faults,
  }
}
