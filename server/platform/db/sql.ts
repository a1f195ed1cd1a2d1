import { type DeleteResult, type RawBuilder, sql, type UpdateResult } from 'kysely'

/** Deadlines use the database's clock at the time of the statement, because the clocks of servers may differ. */
export const inSeconds = (seconds: number) => sql<Date>`now() + ${seconds} * interval '1 second'`

/** Joins conditions with AND for WHERE; no conditions match every row. */
export const and = (conditions: RawBuilder<unknown>[]) => sql.join([sql`true`, ...conditions], sql` AND `)

/** Runs an UPDATE or DELETE of at most one row. @returns whether the row was there. */
export async function hasChangedRow(query: { execute(): Promise<(UpdateResult | DeleteResult)[]> }): Promise<boolean> {
  const [result] = await query.execute()
  return result !== undefined && ('numUpdatedRows' in result ? result.numUpdatedRows : result.numDeletedRows) === 1n
}
