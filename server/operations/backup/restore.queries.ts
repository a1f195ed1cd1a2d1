import type pg from 'pg'
import { hasTable, selectFiles } from './tables.queries.ts'

/**
 * Returns why nothing can be restored here, for the operator; null if it can.
 * @param hasFiles whether the storage has files.
 */
export async function findRestoreBlocker(
  client: pg.Client,
  hasFiles: boolean,
  replace: boolean,
): Promise<string | null> {
  const { rows: others } = await client.query<{ name: string }>(
    `SELECT DISTINCT application_name AS name FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'lectern%' AND pid <> pg_backend_pid()`,
  )
  if (others.length > 0) return 'A Lectern server uses this database. Stop it first.'
  const isOurs = await hasTable(client, 'public.schema_migrations')
  const { rows: tables } = await client.query(`SELECT FROM pg_tables WHERE schemaname = 'public' LIMIT 1`)
  if (tables.length > 0 && !isOurs) return 'The database contains tables of another program. Use an empty database.'
  if (replace) return null
  if (isOurs && (await hasUsers(client))) return 'The database isn’t empty. Use --replace to replace its data.'
  return hasFiles ? 'The storage contains files. Use --replace to replace them.' : null
}

async function hasUsers(client: pg.Client): Promise<boolean> {
  if (!(await hasTable(client, 'public.users'))) return false
  const { rows } = await client.query('SELECT FROM users UNION ALL SELECT FROM registrations LIMIT 1')
  return rows.length > 0
}

/** Drops everything of Lectern and its queue, but nothing that belongs to an extension. */
export async function emptyDatabase(client: pg.Client): Promise<void> {
  await client.query(`
    DO $$
    DECLARE
      statement text;
    BEGIN
      FOR statement IN SELECT format('DROP TABLE public.%I CASCADE', tablename) FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE statement;
      END LOOP;
      FOR statement IN
        SELECT format('DROP FUNCTION %s CASCADE', p.oid::regprocedure) FROM pg_proc p
         WHERE pronamespace = 'public'::regnamespace
           AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = p.oid AND deptype = 'e') LOOP
        EXECUTE statement;
      END LOOP;
    END $$;
    DROP SCHEMA IF EXISTS pgboss CASCADE`)
}

/** Schedules the deletion of files that no restored row refers to. */
export async function scheduleFileDeletions(client: pg.Client, keys: string[]): Promise<void> {
  await client.query(
    `INSERT INTO file_deletions (file_key, delete_after)
     SELECT key, now() FROM unnest($1::text[]) AS key WHERE key NOT IN (SELECT key FROM (${selectFiles}) f)`,
    [keys],
  )
}
