import type { NewDecision } from '../../contract/moderation.ts'
import type { Deps } from '../../server/deps.ts'
import { fail } from '../../server/failure.ts'
import { answerModerators, askAuthor, decideOnNote, getMatter } from '../../server/moderation/moderation.ts'
import { reportNote } from '../../server/reports/reports.ts'
import { setRole } from '../../server/roles/roles.ts'
import { suspendMember } from '../../server/suspensions/suspensions.ts'
import { createUser, findUser } from '../../server/users/users.ts'
import { demoEmail, demoPassword } from '../demo/fill-library.ts'

export const moderatorEmail = 'noor.haddad@uni.example'
export const suspendedEmail = 'sam.reyes@uni.example'
const readerEmail = 'theo.lang@uni.example'

/** What moderators, and the demo student whose notes they look at, see of each kind: a moderator's account and a suspended one among it. */
export async function addMatters(deps: Deps): Promise<void> {
  const { db, passwords } = deps
  const passwordHash = await passwords.hash(demoPassword)
  const add = (name: string, email: string) =>
    db.transaction().execute((tx) => createUser(tx, { name, email, passwordHash }))
  await add('Theo Lang', readerEmail)
  await add('Noor Haddad', moderatorEmail)
  await add('Sam Reyes', suspendedEmail)
  await setRole(deps, moderatorEmail, 'admin')
  const find = async (email: string) => (await findUser(db, { email })) ?? fail('unauthorized')
  const [reader, moderator, author] = [await find(readerEmail), await find(moderatorEmail), await find(demoEmail)]
  const { id: suspendedId } = await find(suspendedEmail)
  await suspendMember(deps, moderator, suspendedId, { days: 30, reason: 'Sold exams.', hidesNotes: true })

  const notesOf = (isTheirs: boolean) =>
    db
      .selectFrom('notes')
      .select('id')
      .where('user_id', isTheirs ? '=' : '!=', author.id)
      .orderBy('created_at', 'desc')
      .limit(4)
      .execute()
  const [asked, hidden] = await notesOf(true)
  const [examUnderLock, wrongCourse, , formerlyHidden] = await notesOf(false)
  if (!asked || !hidden || !examUnderLock || !wrongCourse || !formerlyHidden) throw new Error('Too few notes')
  const decide = (note: { id: string }, decision: NewDecision) => decideOnNote(deps, moderator, note.id, decision)

  await reportNote(deps, reader, asked.id, { rule: 'copyright', text: 'Page 3 is a scan of the textbook.' })
  await askAuthor(deps, moderator, asked.id, 'Is the figure on page 3 your own drawing?')
  const { questions } = await getMatter(db, moderator, asked.id)
  const questionId = questions[0]?.id ?? ''
  await answerModerators(db, author, asked.id, { text: 'I drew it after the one in the lecture.', questionId })
  await reportNote(deps, reader, hidden.id, { rule: 'personal_data', text: undefined })
  await decide(hidden, {
    kind: 'hide',
    rule: 'personal_data',
    reason: 'The last page lists the marks of a whole group by name.',
  })
  await reportNote(deps, reader, examUnderLock.id, { rule: 'exam', text: 'It is written again next week.' })
  await reportNote(deps, reader, wrongCourse.id, { rule: 'wrong_course', text: undefined })
  await reportNote(deps, reader, formerlyHidden.id, { rule: 'offence', text: undefined })
  await decide(formerlyHidden, { kind: 'hide', rule: 'offence', reason: 'The margin insults a teacher.' })
  await decide(formerlyHidden, { kind: 'restore', rule: 'offence', reason: 'The margin was cut off.' })
}
