import type { WriteStream } from 'node:tty'
import { type Role, roles } from '../../contract/roles.ts'
import type { Deps } from '../../server/deps.ts'
import { setRole } from '../../server/roles/roles.ts'

/** Gives somebody a role. @returns false, having changed nothing, where there is no such role or account. */
export async function giveRole(
  deps: Pick<Deps, 'db'>,
  typedEmail: string,
  role: string,
  out: Pick<WriteStream, 'write'>,
): Promise<boolean> {
  if (!isRole(role)) {
    out.write(`  Nothing was changed: "${role}" is no role. There are ${roles.join(', ')}.\n`)
    return false
  }
  const email = typedEmail.trim().toLowerCase()
  const before = await setRole(deps, email, role)
  if (before === null) out.write(`  Nothing was changed: nobody has an account with ${email}.\n`)
  else if (before === role) out.write(`  Nothing was changed: ${email} has the role ${role} already.\n`)
  else out.write(`  ${email} has the role ${role} now, and had ${before}. All servers know.\n`)
  return before !== null
}

const isRole = (text: string): text is Role => roles.some((role) => role === text)
