import {
  type Member,
  type MemberList,
  type MembersQuery,
  memberPageSize,
} from '../../../../packages/contract/members.ts'
import type { Db } from '../../../platform/db/pool.ts'
import * as queries from './members.queries.ts'

export async function listMembers(db: Db, { text, after = '' }: MembersQuery): Promise<MemberList> {
  const found = await queries.findMembers(db, text, after, memberPageSize + 1)
  return { members: found.slice(0, memberPageSize).map(toMember), hasMore: found.length > memberPageSize }
}

function toMember({ id, name, email, role, at, until, reason, hidesNotes, dailyMb }: queries.MemberRow): Member {
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
