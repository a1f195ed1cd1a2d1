import type { WriteStream } from 'node:tty'
import type { Deps } from '../../server/deps.ts'
import { turnOffByOperator } from '../../server/totp/totp.ts'

/**
 * For a student who has lost the app and the recovery codes. The job queue is started: a mail tells them.
 * @returns false, having changed nothing, without an account.
 */
export async function turnTwoFactorOff(
  deps: Pick<Deps, 'db' | 'jobs'>,
  typedEmail: string,
  out: Pick<WriteStream, 'write'>,
): Promise<boolean> {
  const email = typedEmail.trim().toLowerCase()
  const wasOn = await turnOffByOperator(deps, email)
  if (wasOn === null) out.write(`  Nothing was changed: nobody has an account with ${email}.\n`)
  else if (!wasOn) out.write(`  Nothing was changed: two-factor login of ${email} is off already.\n`)
  else out.write(`  Two-factor login of ${email} is off. A mail tells them so.\n`)
  return wasOn !== null
}
