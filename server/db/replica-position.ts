/**
 * What a primary has written. A replica is compared by `history` too: places in the log of another cluster, or of a timeline
 * that ended when another PostgreSQL took over, say nothing about this one's.
 */
export type Written = { history: string; lsn: string }

/**
 * Whatever was acknowledged, or seen by anybody on the primary, before this is asked stands before its place. Where commits
 * are acknowledged before they are on the disk, that is beyond what is on it.
 */
export const writtenByPrimary = `
  SELECT concat_ws('/', (SELECT system_identifier FROM pg_control_system()), left(pg_walfile_name(lsn), 8),
                   current_database()) AS history, lsn::text AS lsn
    FROM (SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
                 ELSE pg_current_wal_flush_lsn() END AS lsn) w`

export type Replayed = {
  /**
   * A replica of the primary, on its timeline. After another one took over it says so at once to who may read statistics
   * (`pg_read_all_stats`), else from its next checkpoint on.
   */
  isOurs: boolean
  /** Whoever reads from now on sees all that was written. Null where nothing is replayed. */
  isCaughtUp: boolean | null
  /** What is not replayed yet. */
  bytesBehind: number | null
}

/**
 * Of a replica, compared with a `Written`, whose history and lsn it takes. It receives of a timeline only where what it has
 * replayed is before the end of the one before: else PostgreSQL stays with that.
 */
export const replayedByReplica = `
  SELECT pg_is_in_recovery() AND $1 = concat_ws('/', (SELECT system_identifier FROM pg_control_system()),
           (SELECT lpad(upper(to_hex(greatest(timeline_id, received_tli))), 8, '0')
              FROM pg_control_checkpoint() LEFT JOIN pg_stat_wal_receiver ON true), current_database()) AS "isOurs",
         pg_last_wal_replay_lsn() >= $2::pg_lsn AS "isCaughtUp",
         greatest(0, pg_wal_lsn_diff($2::pg_lsn, pg_last_wal_replay_lsn()))::float8 AS "bytesBehind"`
