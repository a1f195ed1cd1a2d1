import { suspendMember } from '../features/moderation/suspensions/suspensions.ts'
import { createUser, type TestApp } from './app.ts'
import { accessOf, logIn } from './students.ts'

/** Creates a suspended user, with the session of a login during the suspension. */
export async function createSuspendedUser(test: TestApp, given: { name?: string; email?: string } = {}) {
  const user = await createUser(test, given)
  await suspendMember(test.deps, null, user.id, { days: null, reason: 'Sold exams.', hidesNotes: false })
  return { ...user, auth: accessOf(await logIn(test, user.email)) }
}
