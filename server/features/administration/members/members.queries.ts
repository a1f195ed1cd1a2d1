import { sql } from 'kysely'
import type { Role } from '../../../../packages/contract/roles.ts'
import type { Db } from '../../../platform/db/pool.ts'
import { selectAccounts } from '../../accounts/users/users.ts'
import { accountSuspensions } from '../../moderation/suspensions/suspensions.ts'
import { uploadQuotas } from '../../uploads/documents/quotas.ts'

export type MemberRow = {
  id: string
  name: string
  email: string
  role: Role
  at: Date | null
  until: Date | null
  reason: string | null
  hidesNotes: boolean | null
  dailyMb: number | null
}

const pattern = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/**
 * @param text is part of a name or an email; without it, users with a role, suspension or quota match.
 * @param after is the email of the last member that the caller has.
 */
export async function findMembers(
  db: Db,
  text: string | undefined,
  after: string,
  limit: number,
): Promise<MemberRow[]> {
  const condition =
    text === undefined
      ? sql`u.role <> 'student' OR s."userId" IS NOT NULL OR q.user_id IS NOT NULL`
      : sql`u.name ILIKE ${pattern(text)} OR u.email ILIKE ${pattern(text)}`
  const { rows } = await sql<MemberRow>`
    SELECT u.id, u.name, u.email, u.role, s.at, s.until, s.reason, s."hidesNotes", q.daily_mb AS "dailyMb"
      FROM ${selectAccounts} u
      LEFT JOIN ${accountSuspensions} s ON s."userId" = u.id
      LEFT JOIN ${uploadQuotas} q ON q.user_id = u.id
     WHERE u.email > ${after} AND (${condition})
     ORDER BY u.email LIMIT ${sql.lit(limit)}`.execute(db)
  return rows
}
