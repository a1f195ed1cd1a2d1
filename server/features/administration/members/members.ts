import { sql } from 'kysely'
import { type MemberList, type MembersQuery, memberPageSize } from '../../../../packages/contract/members.ts'
import type { Db } from '../../../platform/db/pool.ts'
import { selectAccounts } from '../../accounts/users/users.ts'
import { accountSuspensions } from '../../moderation/suspensions/suspensions.ts'
import { uploadQuotas } from '../../uploads/documents/upload-quota.ts'

const pattern = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** Returns the members whose name or email contains the text; without it, those with a role, suspension or quota. */
export async function listMembers(db: Db, { text, after = '' }: MembersQuery): Promise<MemberList> {
  const isMeant =
    text === undefined
      ? sql<boolean>`(u.role <> 'student' OR s."userId" IS NOT NULL OR q.user_id IS NOT NULL)`
      : sql<boolean>`(u.name ILIKE ${pattern(text)} OR u.email ILIKE ${pattern(text)})`
  const found = await db
    .selectFrom(selectAccounts.as('u'))
    .leftJoin(accountSuspensions.as('s'), 's.userId', 'u.id')
    .leftJoin(uploadQuotas.as('q'), 'q.user_id', 'u.id')
    .select(['u.id', 'u.name', 'u.email', 'u.role', 'q.daily_mb'])
    .select(['s.at', 's.until', 's.reason', 's.hidesNotes'])
    .where('u.email', '>', after)
    .where(isMeant)
    .orderBy('u.email')
    .limit(sql.lit(memberPageSize + 1))
    .execute()
  const members = found
    .slice(0, memberPageSize)
    .map(({ id, daily_mb, at, until, reason, hidesNotes, ...member }): MemberList['members'][number] => ({
      _id: id,
      ...member,
      ...(at &&
        reason !== null &&
        hidesNotes !== null && {
          suspension: { at: at.toISOString(), until: until?.toISOString() ?? null, reason, hidesNotes },
        }),
      ...(daily_mb !== null && { dailyUploadMb: daily_mb }),
    }))
  return { members, hasMore: found.length > memberPageSize }
}
