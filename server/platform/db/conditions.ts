import { type RawBuilder, sql } from 'kysely'

/** Joins conditions with AND for WHERE; no conditions match every row. */
export const and = (conditions: RawBuilder<unknown>[]) => sql.join([sql`true`, ...conditions], sql` AND `)
