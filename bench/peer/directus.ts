import { execFileSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pageSize } from '../../packages/contract/limits.ts'
import type { NoteQuery } from '../../packages/contract/search.ts'
import { connect } from '../../server/platform/db/client.ts'
import { emailOf, password } from '../fill.ts'
import { installOnce, type Library, say } from '../library.ts'
import { type Call, type Student, send } from '../load.ts'
import { type Server, startProgram } from '../processes.ts'

/**
 * Runs Directus over a copy of the library: the same rows and indexes in the same PostgreSQL, and equivalent requests.
 */

const folder = fileURLToPath(new URL('.', import.meta.url))
/** Directus needs Node 22, which is available as a package for each platform. */
const node = `${folder}node_modules/.bin/node`
const admin = { email: 'admin@example.com', password: 'Marigold desk 43!', token: 'token-of-the-benchmarks' }
/** Permissions are for whole tables, because rules on rows and fields need a licence. */
const permissions = Object.entries({
  notes: ['read', 'create'],
  directus_files: ['read', 'create'],
  directus_users: ['read'],
}).flatMap(([collection, actions]) => actions.map((action) => ({ collection, action, fields: ['*'] })))

/** Copies the tables, with an index for each sort order and filter. */
const copyOf = (roleId: string) => `
  INSERT INTO directus.directus_users (id, first_name, email, password, status, role)
    SELECT id, name, email || '.com', password_hash, 'active', '${roleId}'
      FROM public.users JOIN public.passwords ON user_id = id;
  INSERT INTO directus.notes
    SELECT n.id, title, course_code, academic_year, instructor, is_anonymous, created_at, likes, dislikes, bytes,
           page_count, CASE WHEN NOT is_anonymous THEN user_id END
      FROM public.notes n JOIN public.documents d ON d.id = document_id;
  CREATE INDEX ON directus.notes (created_at, id);
  CREATE INDEX ON directus.notes (likes, id);
  CREATE INDEX ON directus.notes (course_code, academic_year, created_at, id);
  CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA directus;
  CREATE INDEX ON directus.notes USING gin (lower(title) directus.gin_trgm_ops);
  CREATE INDEX ON directus.notes USING gin (lower(instructor) directus.gin_trgm_ops)`

export type Directus = { server: Server; student: Student }

export async function startDirectus({ folder: libraryFolder, databaseUrl, logFile }: Library): Promise<Directus> {
  installOnce(folder)
  const cwd = join(libraryFolder, 'directus')
  await mkdir(cwd, { recursive: true })
  await using client = await connect({ connectionString: databaseUrl })
  say('Directus makes its tables …')
  await client.query('DROP SCHEMA IF EXISTS directus CASCADE; CREATE SCHEMA directus')
  const env = envOf(databaseUrl)
  const api = `${folder}node_modules/@directus/api/dist`
  execFileSync(node, [`${api}/cli/run.js`, 'bootstrap'], { cwd, env, stdio: ['ignore', 2, 2] })
  await client.query(`
    CREATE TABLE directus.notes (
      id uuid PRIMARY KEY, title text, course_code text, academic_year text, instructor text, is_anonymous boolean,
      created_at timestamptz DEFAULT now(), likes integer DEFAULT 0, dislikes integer DEFAULT 0, bytes integer,
      page_count integer, author uuid REFERENCES directus.directus_users)`)
  const program = { args: ['--import', `${folder}flush.js`, `${api}/start.js`], env, logFile, node, cwd }
  const server = await startProgram(program, '/server/ping')
  const { id: roleId } = await post<{ id: string }>(server.origin, '/roles', { name: 'Student' }, admin.token)
  const policy = { name: 'Student', app_access: false, admin_access: false, permissions, roles: [{ role: roleId }] }
  await post(server.origin, '/policies', policy, admin.token)
  say('Copying the library …')
  await client.query(copyOf(roleId))
  await client.query('VACUUM ANALYZE')
  // Directus rejects addresses in .example.
  const credentials = { email: `${emailOf(0)}.com`, password }
  const login = await post<{ access_token: string }>(server.origin, '/auth/login', credentials)
  return { server, student: { authorization: `Bearer ${login.access_token}` } }
}

/** Production settings, without the features that are also disabled in Lectern. */
const envOf = (databaseUrl: string): Record<string, string> => ({
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PUBLIC_URL: 'http://127.0.0.1',
  SECRET: 'a secret of the benchmarks, long enough',
  LOG_LEVEL: 'warn',
  DB_CLIENT: 'pg',
  DB_CONNECTION_STRING: databaseUrl,
  DB_SEARCH_PATH: 'array:directus',
  DB_POOL__MAX: '10',
  // With 50 connections, parallel workers for one statement would slow the others. Lectern has none either.
  PGOPTIONS: '-c max_parallel_workers_per_gather=0',
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
  ADMIN_TOKEN: admin.token,
  SERVE_APP: 'false',
  // The limiter would reject requests under full load.
  PRESSURE_LIMITER_ENABLED: 'false',
  TELEMETRY: 'false',
  ACCESS_TOKEN_TTL: '1d',
})

async function post<T>(origin: string, path: string, body: unknown, token = ''): Promise<T> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  return (await send<{ data: T }>(origin, { method: 'POST', path, headers, body: JSON.stringify(body) })).data
}

const fields =
  'id title course_code academic_year instructor is_anonymous created_at likes dislikes bytes page_count author.id author.first_name'

/** Requests the page that Lectern returns for such a query. */
export function directusList(query: NoteQuery): Call {
  const containsEach = (field: string, text = '') =>
    text.split(' ').flatMap((word) => (word ? [{ [field]: { _icontains: word } }] : []))
  const conditions = [
    ...containsEach('title', query.title),
    ...containsEach('instructor', query.instructor),
    ...(query.courseCode ? [{ course_code: { _eq: query.courseCode } }] : []),
    ...(query.academicYear ? [{ academic_year: { _eq: query.academicYear } }] : []),
    // Directus cannot compare ids of this kind, so its clients continue by time alone.
    ...(query.cursorValue ? [{ created_at: { _lt: query.cursorValue } }] : []),
  ]
  const search = new URLSearchParams({
    fields: fields.replaceAll(' ', ','),
    filter: JSON.stringify({ _and: conditions }),
    sort: `${query.sortBy === 'likes' ? '-likes' : '-created_at'},-id`,
    // One additional row shows whether there are more.
    limit: `${pageSize + 1}`,
  })
  return { path: `/items/notes?${search}` }
}
