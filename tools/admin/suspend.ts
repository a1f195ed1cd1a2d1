import type { WriteStream } from 'node:tty'
import { newSuspension } from '../../contract/members.ts'
import type { Deps } from '../../server/deps.ts'
import { Failure } from '../../server/http/failure.ts'
import * as suspensions from '../../server/suspensions/suspensions.ts'
import { findUser } from '../../server/users/users.ts'

type SuspendDeps = Pick<Deps, 'db' | 'jobs'>
type Says = Pick<WriteStream, 'write'>
type Options = { reason: string; days: string | undefined; hidesNotes: boolean }

const noteId = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i

/** Suspends an account by its e-mail, or the one behind an anonymous note by the note's id. @returns whether it did. */
export function suspend(deps: SuspendDeps, whom: string, { reason, days, hidesNotes }: Options, out: Says) {
  const parsed = newSuspension.safeParse({ reason, days: days === undefined ? null : Number(days), hidesNotes })
  if (!parsed.success) {
    out.write('  Nothing was changed: it needs a --reason of up to 1,000 characters, and --days from 1 to 3,650.\n')
    return Promise.resolve(false)
  }
  return tell(out, `${whom} is suspended. All servers know.`, async () => {
    if (noteId.test(whom)) await suspensions.suspendBehindNote(deps, null, whom, parsed.data)
    else await suspensions.suspendMember(deps, null, await idOf(deps, whom), parsed.data)
  })
}

/** Lifts what `suspend` did: by the e-mail the suspension by name, by a note's id the one behind it. */
export function lift(deps: SuspendDeps, whom: string, out: Says): Promise<boolean> {
  return tell(out, `${whom} is no longer suspended.`, async () => {
    if (noteId.test(whom)) await suspensions.liftNoteSuspension(deps, null, whom)
    else await suspensions.liftSuspension(deps, null, await idOf(deps, whom))
  })
}

async function tell(out: Says, done: string, act: () => Promise<void>): Promise<boolean> {
  try {
    await act()
    out.write(`  ${done}\n`)
    return true
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    out.write(`  Nothing was changed: ${error.message}\n`)
    return false
  }
}

/** @throws member_not_found */
async function idOf({ db }: Pick<Deps, 'db'>, typedEmail: string): Promise<string> {
  const user = await findUser(db, { email: typedEmail.trim().toLowerCase() })
  if (!user) throw new Failure('member_not_found')
  return user.id
}
