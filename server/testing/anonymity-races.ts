import { sql } from 'kysely'
import { expect } from 'vitest'
import { deleteAccount, scheduleAccountDeletion } from '../features/accounts/deletion/account-deletion.ts'
import { findPassword } from '../features/accounts/users/users.ts'
import { liftSuspension, suspendMember } from '../features/moderation/suspensions/suspensions.ts'
import { createNote, createUser, openTestApp } from './app.ts'
import { jobContext } from './jobs.ts'

/**
 * Makes notes anonymous, or named, while their author is suspended and reinstated, or deleted while the notes are kept.
 * In any order, no note may show a name that the last accepted request removed.
 */
export async function raceForAnonymity(kind: 'suspension' | 'deletion', rounds: number): Promise<void> {
  const test = await openTestApp({ DATABASE_POOL_SIZE: '20' })
  const { db } = test.deps
  const reader = await createUser(test)
  const read = async (id: string) => (await test.app.inject({ url: `/api/notes/${id}`, headers: reader.auth })).json()
  for (let round = 0; round < rounds; round++) {
    const author = await createUser(test, { name: 'Zyxwvut Canary' })
    const isAnonymous = round % 2 === 0
    const id = await createNote(test, author, { title: 'week 1', isAnonymous: !isAnonymous })
    const edit = async () => {
      const url = `/api/users/me/notes/${id}`
      const payload = { courseCode: 'MAT137', academicYear: '2025–26', title: 'Zyxwvut week 2', isAnonymous }
      return (await test.app.inject({ method: 'PATCH', url, headers: author.auth, payload })).statusCode
    }
    const suspend = async () => {
      await suspendMember(test.deps, null, author.id, { days: null, reason: 'Sold exams.', hidesNotes: true })
      expect((await read(id)).user ?? null).toBeNull()
      await liftSuspension(test.deps, null, author.id)
    }
    const leaveAccount = async () => {
      const viewer = { id: author.id, role: 'student' } as const
      const confirmedHash = (await findPassword(db, author.id)) ?? ''
      const confirmed = { viewer, sessionId: author.sessionId, device: null, confirmedHash }
      await scheduleAccountDeletion(test.deps, confirmed, 'keep')
      await sql`UPDATE users SET deletion_due_at = now() - interval '1 second' WHERE id = ${author.id}`.execute(db)
      await deleteAccount(test.deps, { userId: author.id }, jobContext)
    }
    const [status] = await Promise.all([edit(), kind === 'suspension' ? suspend() : leaveAccount()])
    expect([200, 401, 404]).toContain(status)
    const shown = await read(id)
    if (kind === 'deletion') expect(shown).toMatchObject({ isAnonymous: true, user: null })
    const isAnonymousNow = kind === 'deletion' || (status === 200 ? isAnonymous : !isAnonymous)
    if (isAnonymousNow) expect(JSON.stringify(shown)).not.toMatch(/zyxwvut|canary/i)
    const { rows } = await sql`SELECT FROM notes WHERE is_anonymous AND hidden_by_suspension`.execute(db)
    expect(rows).toEqual([])
  }
}
