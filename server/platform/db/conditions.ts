import { type RawBuilder, sql } from 'kysely'

/** For WHERE: all of them; everything where there are none. */
export const and = (conditions: RawBuilder<unknown>[]) => sql.join([sql`true`, ...conditions], sql` AND `)
