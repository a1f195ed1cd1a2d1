import { sql } from 'kysely'
import {
  type Member,
  type MemberList,
  type MembersQuery,
  memberPageSize,
} from '../../../../packages/contract/members.ts'
import type { Role } from '../../../../packages/contract/roles.ts'
import type { Db } from '../../../platform/db/pool.ts'
import { selectAccounts } from '../../accounts/users/users.ts'
import { accountSuspensions } from '../../moderation/suspensions/suspensions.ts'
import { uploadQuotas } from '../../uploads/documents/upload-quota.ts'

export async function listMembers(db: Db, { text, after = '' }: MembersQuery): Promise<MemberList> {
  const found = await findMembers(db, text, after, memberPageSize + 1)
  return { members: found.slice(0, memberPageSize).map(toMember), hasMore: found.length > memberPageSize }
}

function toMember({ id, name, email, role, at, until, reason, hidesNotes, dailyMb }: MemberRow): Member {
  return {
    _id: id,
    name,
    email,
    role,
    ...(at &&
      reason !== null &&
      hidesNotes !== null && {
        suspension: { at: at.toISOString(), until: until?.toISOString() ?? null, reason, hidesNotes },
      }),
    ...(dailyMb !== null && { dailyUploadMb: dailyMb }),
  }
}

type MemberRow = {
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
async function findMembers(db: Db, text: string | undefined, after: string, limit: number): Promise<MemberRow[]> {
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
