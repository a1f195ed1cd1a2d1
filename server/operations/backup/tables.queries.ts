import type pg from 'pg'

/** Names of tables and columns are Lectern's own: lower case and underscores, so they need no escaping. */
export type Table = { name: string; columns: string[] }

/**
 * Tables that no archive contains: counts of attempts and files of no note are useless elsewhere, the manifest has the
 * schema, and another instance has its own storage.
 */
const excludedTables = [
  'schema_migrations',
  'rate_limits',
  'file_deletions',
  'deletion_holds',
  'storage_identity',
  'problems',
  'backup_result',
]

/** Returns every table that a backup contains, sorted so that referenced tables come first. */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows: tables } = await client.query<Table>(
    `SELECT c.relname::text AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> ALL($1)
        AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
      GROUP BY c.oid ORDER BY 1`,
    [excludedTables],
  )
  const { rows: references } = await client.query<{ child: string; parent: string }>(
    `SELECT DISTINCT child.relname::text AS child, parent.relname::text AS parent
       FROM pg_constraint k JOIN pg_class child ON child.oid = conrelid JOIN pg_class parent ON parent.oid = confrelid
      WHERE contype = 'f' AND child.relnamespace = 'public'::regnamespace AND child.oid <> parent.oid`,
  )
  const sorted: Table[] = []
  const isPlaced = (name: string) => sorted.some((table) => table.name === name)
  while (sorted.length < tables.length) {
    const next = tables.find(
      ({ name }) => !isPlaced(name) && references.every(({ child, parent }) => child !== name || isPlaced(parent)),
    )
    if (!next) throw new Error('Backups don’t support tables that refer to each other in a circle.')
    sorted.push(next)
  }
  return sorted
}

/**
 * Begins a transaction in which every PostgreSQL writes and reads values in the same format, however long it takes: in
 * one message, so that no timeout applies yet. Before PostgreSQL 17 there is no `transaction_timeout`.
 */
export async function beginCopy(client: pg.ClientBase, mode = ''): Promise<void> {
  await client.query(
    `BEGIN ${mode}; SET LOCAL client_encoding = 'UTF8'; SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO, YMD';
     SET LOCAL IntervalStyle = 'postgres'; SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 3;
     SELECT set_config(name, '0', true) FROM pg_settings WHERE name IN
       ('statement_timeout', 'idle_in_transaction_session_timeout', 'lock_timeout', 'transaction_timeout')`,
  )
}

const list = (columns: string[]) => columns.map((column) => `"${column}"`).join(', ')
const restoredJobs = 'restored_jobs'

/**
 * Copies a table's rows in PostgreSQL's text format. Waiting jobs are added to the restored jobs, because the queue's
 * own tables change with its library. Scheduled jobs are left out, because they are created again.
 */
export function copyOut({ name, columns }: Table, hasQueue: boolean): string {
  if (name !== restoredJobs || !hasQueue) return `COPY "${name}" (${list(columns)}) TO STDOUT`
  return `COPY (
    SELECT ${list(columns)} FROM restored_jobs
     UNION ALL
    SELECT ${list(columns)} FROM pgboss.job
     WHERE state < 'completed' AND name NOT IN (SELECT name FROM pgboss.schedule) AND left(name, 2) <> '__'
  ) TO STDOUT`
}

export const copyIn = ({ name, columns }: Table) => `COPY "${name}" (${list(columns)}) FROM STDIN`

export async function hasTable(client: pg.ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [name])
  return rows[0]?.found ?? false
}

/** Locks the table definitions until the end of the transaction, so that no migration changes them. */
export async function lockTableDefinitions(client: pg.ClientBase, tables: Table[]): Promise<void> {
  await client.query(`LOCK TABLE ${tables.map(({ name }) => `"${name}"`).join(', ')} IN ACCESS SHARE MODE`)
}

/** Copied rows already contain the results of triggers, so triggers are off during the copy. */
export async function setTriggers(client: pg.ClientBase, tables: Table[], state: 'ENABLE' | 'DISABLE'): Promise<void> {
  for (const { name } of tables) await client.query(`ALTER TABLE "${name}" ${state} TRIGGER USER`)
}

/** New rows get higher numbers than the copied ones. */
export async function resetSequences(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string }>(
    `SELECT c.relname AS table, a.attname AS column FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attidentity <> ''`,
  )
  for (const { table, column } of rows) {
    const sequence = `pg_get_serial_sequence('"${table}"', '${column}')`
    await client.query(`SELECT setval(${sequence}, coalesce(max("${column}"), 0) + 1, false) FROM "${table}"`)
  }
}

/** Exports have no hash, and only documents have a size. */
export type StoredFile = { key: string; sha256: Buffer | null; bytes: number | null }

/** Every file: of documents, of their thumbnails, and of exports, which belong to no document. */
export const selectFiles = `
  SELECT file_key AS key, sha256, bytes::float8, id AS document_id FROM documents
   UNION ALL SELECT small_file_key, small_sha256, NULL, document_id FROM thumbnails
   UNION ALL SELECT large_file_key, large_sha256, NULL, document_id FROM thumbnails
   UNION ALL SELECT file_key, NULL, NULL, NULL FROM exports WHERE file_key IS NOT NULL`
