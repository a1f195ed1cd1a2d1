import { sql } from 'kysely'
import { expect } from 'vitest'
import { removeUser } from '../features/accounts/deletion/account-deletion.ts'
import { setRole } from '../features/auth/roles/roles.ts'
import { inTransaction } from '../platform/db/transaction.ts'
import { createNote, createUser, openTestApp } from './app.ts'
import { field, file, upload } from './form.ts'

const courses = ['MAT137', 'CSC108', 'PHY131', 'BIO120']
const titles = Array.from({ length: 8 }, (_, n) => `week ${n}`)
const shuffled = <T>(values: T[]) => values.toSorted(() => Math.random() - 0.5)

/** Sends simultaneous changes that lock rows of the same notes, users and suggestions in varying orders. */
export async function raceForLocks(rounds: number): Promise<void> {
  const test = await openTestApp({ DATABASE_POOL_SIZE: '20' })
  const { db } = test.deps
  const [admin, suspended, editor, rater, ...uploaders] = await Promise.all([...Array(6)].map(() => createUser(test)))
  if (!admin || !suspended || !editor || !rater) throw new Error('No users')
  await setRole(test.deps, admin.email, 'admin')
  const createNotes = (owner: typeof admin, isAnonymous = false) =>
    Promise.all(
      shuffled(titles).map((title, n) => createNote(test, owner, { title, courseCode: courses[n % 4], isAnonymous })),
    )
  const hidden = await createNotes(suspended)
  const edited = await createNotes(editor)
  const anonymous = await createNotes(editor, true)
  let uploaded: { id: string; owner: typeof admin }[] = []
  const statuses = new Map<number, number>()
  const send = async (method: 'DELETE' | 'PATCH' | 'POST', by: typeof admin, url: string, payload?: object) => {
    const { statusCode } = await test.app.inject({ method, url, headers: by.auth, ...(payload && { payload }) })
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
  }
  const suspension = `/api/admin/members/${suspended.id}/suspension`
  const details = () => ({ courseCode: shuffled(courses)[0], academicYear: '2025–26' })
  for (let round = 0; round < rounds; round++) {
    const leaver = await createUser(test)
    await createNote(test, leaver, { title: titles[round % titles.length] ?? '' })
    await Promise.all(hidden.slice(0, 3).map((id) => send('PATCH', leaver, `/api/notes/${id}/rating`, { likes: '+' })))
    const old = uploaded
    uploaded = []
    let uploading = uploaders.length
    const untilUploaded = async (change: () => Promise<void>) => {
      while (uploading > 0) await change()
    }
    await Promise.all([
      ...uploaders.map(async (owner, n) => {
        const files = shuffled(titles).map((title) => file(undefined, `${title}.pdf`))
        const fields = [field('courseCode', courses[n] ?? ''), field('academicYear', '2025–26')]
        const response = await upload(test, owner, [...fields, ...files])
        statuses.set(response.statusCode, (statuses.get(response.statusCode) ?? 0) + 1)
        for (const { _id } of response.json().notes ?? []) uploaded.push({ id: _id, owner })
        uploading--
      }),
      untilUploaded(async () => {
        await send('POST', admin, suspension, { days: null, reason: 'Sold exams.', hidesNotes: true })
        await send('DELETE', admin, suspension)
      }),
      ...edited.map((id) =>
        untilUploaded(() => {
          const [title] = shuffled(titles)
          return send('PATCH', editor, `/api/users/me/notes/${id}`, { ...details(), title, isAnonymous: false })
        }),
      ),
      send('PATCH', editor, `/api/users/me/notes/${anonymous[round % titles.length]}`, {
        ...details(),
        isAnonymous: true,
      }),
      send('PATCH', editor, '/api/users/me/name', { name: round % 2 ? 'Week Okafor' : 'Ada Okafor' }),
      ...shuffled([...hidden, ...edited, ...old.map(({ id }) => id)]).map((id) =>
        send('PATCH', rater, `/api/notes/${id}/rating`, round % 2 ? { dislikes: '+' } : { likes: '+' }),
      ),
      send('PATCH', rater, '/api/users/me', { recentlyViewedNotes: shuffled([...hidden, ...edited]) }),
      ...shuffled(old).map(({ id, owner }) => send('DELETE', owner, `/api/users/me/notes/${id}`)),
      inTransaction(db, (tx) => removeUser(tx, leaver.id)),
    ])
  }

  expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([])
  expect(statuses.get(200)).toBeGreaterThan(rounds)
  const { rows: wrongCounts } = await sql`
    SELECT n.id FROM notes n LEFT JOIN ratings r ON r.note_id = n.id GROUP BY n.id
     HAVING (likes, dislikes) <> (count(*) FILTER (WHERE r.liked), count(*) FILTER (WHERE NOT r.liked))`.execute(db)
  expect(wrongCounts).toEqual([])
  const { rows: wrongSuggestions } = await sql`
    SELECT * FROM (SELECT title AS text, count(*) AS notes FROM notes WHERE hidden_at IS NULL GROUP BY title) n
      FULL JOIN (SELECT text, notes FROM suggestions WHERE kind = 'title') s USING (text)
     WHERE n.notes IS DISTINCT FROM s.notes`.execute(db)
  expect(wrongSuggestions).toEqual([])
}
