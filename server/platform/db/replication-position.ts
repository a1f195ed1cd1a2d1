/**
 * The last position that a primary has written. `history` identifies cluster, timeline and database. Positions of
 * different histories cannot be compared, and neither can those of a timeline that a failover ended.
 */
export type PrimaryPosition = { history: string; lsn: string }

/**
 * Includes every acknowledged commit. With `synchronous_commit` off, commits are acknowledged before they are flushed,
 * so the insert position is used.
 */
export const primaryPositionSql = `
  SELECT concat_ws('/', (SELECT system_identifier FROM pg_control_system()), left(pg_walfile_name(lsn), 8),
                   current_database()) AS history, lsn::text AS lsn
    FROM (SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
                 ELSE pg_current_wal_flush_lsn() END AS lsn) w`

/** The last two are null when nothing is replayed. */
export type ReplicaPosition = { isOurs: boolean; isCaughtUp: boolean | null; bytesBehind: number | null }

/**
 * Compares a replica with a `PrimaryPosition`, given its history and lsn. After a failover a replica knows the new
 * timeline immediately if its role may read statistics (`pg_read_all_stats`), otherwise after its next checkpoint.
 */
export const replicaPositionSql = `
  SELECT pg_is_in_recovery() AND $1 = concat_ws('/', (SELECT system_identifier FROM pg_control_system()),
           (SELECT lpad(upper(to_hex(greatest(timeline_id, received_tli))), 8, '0')
              FROM pg_control_checkpoint() LEFT JOIN pg_stat_wal_receiver ON true), current_database()) AS "isOurs",
         pg_last_wal_replay_lsn() >= $2::pg_lsn AS "isCaughtUp",
         greatest(0, pg_wal_lsn_diff($2::pg_lsn, pg_last_wal_replay_lsn()))::float8 AS "bytesBehind"`
