/**
 * What a primary has written. `history` names cluster, timeline and database: a position in another one, or on a timeline that
 * ended when another PostgreSQL took over, cannot be compared.
 */
export type PrimaryPosition = { history: string; lsn: string }

/** Everything acknowledged before is written. Commits that are acknowledged before they are on the disk are beyond what is flushed. */
export const primaryPositionSql = `
  SELECT concat_ws('/', (SELECT system_identifier FROM pg_control_system()), left(pg_walfile_name(lsn), 8),
                   current_database()) AS history, lsn::text AS lsn
    FROM (SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
                 ELSE pg_current_wal_flush_lsn() END AS lsn) w`

/** The last two are null where nothing is replayed. */
export type ReplicaPosition = { isOurs: boolean; isCaughtUp: boolean | null; bytesBehind: number | null }

/**
 * Compares a replica with a `Written`, given its history and lsn. After a failover it knows the new timeline immediately if its
 * role may read statistics (`pg_read_all_stats`), else from its next checkpoint on.
 */
export const replicaPositionSql = `
  SELECT pg_is_in_recovery() AND $1 = concat_ws('/', (SELECT system_identifier FROM pg_control_system()),
           (SELECT lpad(upper(to_hex(greatest(timeline_id, received_tli))), 8, '0')
              FROM pg_control_checkpoint() LEFT JOIN pg_stat_wal_receiver ON true), current_database()) AS "isOurs",
         pg_last_wal_replay_lsn() >= $2::pg_lsn AS "isCaughtUp",
         greatest(0, pg_wal_lsn_diff($2::pg_lsn, pg_last_wal_replay_lsn()))::float8 AS "bytesBehind"`
