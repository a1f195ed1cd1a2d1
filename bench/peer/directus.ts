import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { pageSize } from '../../contract/limits.ts'
import type { NoteQuery } from '../../contract/search.ts'
import { emailOf, password } from '../fill.ts'
import { installOnce } from '../install.ts'
import { addressOf, createDatabase, type Library, say } from '../library.ts'
import type { Call } from '../load.ts'
import { root, run, type Server, startProgram } from '../processes.ts'

/** Directus over a copy of the library: the same rows and indexes in the same PostgreSQL, and requests for the same work. */

const folder = fileURLToPath(new URL('.', import.meta.url))
const api = 'bench/peer/node_modules/@directus/api/dist'
const databaseName = 'directus'
/** Directus accepts no address below .example. */
const emailSuffix = '.com'
const admin = { email: 'admin@example.com', password: 'Marigold desk 43!', token: 'token-of-the-benchmarks' }

/** The headers are of the same students as in Lectern: the first, and the second, who has liked more notes. */
export type Directus = { server: Server; students: { authorization: string }[] }

export async function startDirectus(library: Library): Promise<Directus> {
  installOnce(folder)
  const cwd = join(library.folder, 'directus')
  const databaseUrl = addressOf(library.databaseUrl, databaseName)
  const args = ['--import', `${folder}flush.js`]
  const program = { args, env: envOf(databaseUrl), logFile: library.logFile, node: findNode(), cwd }
  const start = () => startProgram({ ...program, args: [...args, `${root}${api}/start.js`] }, '/server/ping')
  // A kept library keeps its copy.
  if (!existsSync(join(cwd, 'uploads'))) {
    await mkdir(cwd, { recursive: true })
    await createDatabase(library.databaseUrl, databaseName)
    say('Directus makes its tables …')
    await run({ ...program, args: [...args, `${root}${api}/cli/run.js`, 'bootstrap'] })
    const first = await start()
    const roleId = await defineCollections((path, body) => post(first.origin, path, body, admin.token))
    await first.stop()
    say('Copying the library …')
    await copyRows(library.databaseUrl, databaseUrl, roleId)
    await mkdir(join(cwd, 'uploads'))
  }
  const server = await start()
  const students = []
  for (const student of [0, 1]) {
    const login = { email: emailOf(student) + emailSuffix, password }
    const { access_token } = await post<{ access_token: string }>(server.origin, '/auth/login', login)
    students.push({ authorization: `Bearer ${access_token}` })
  }
  return { server, students }
}

/** As in production, without what Lectern is measured without. */
const envOf = (databaseUrl: string) => ({
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PUBLIC_URL: 'http://127.0.0.1',
  SECRET: 'a secret of the benchmarks, long enough',
  LOG_LEVEL: 'warn',
  DB_CLIENT: 'pg',
  DB_CONNECTION_STRING: databaseUrl,
  DB_POOL__MAX: '10',
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
  ADMIN_TOKEN: admin.token,
  SERVE_APP: 'false',
  CACHE_ENABLED: 'false',
  RATE_LIMITER_ENABLED: 'false',
  // It would refuse requests under full load.
  PRESSURE_LIMITER_ENABLED: 'false',
  TELEMETRY: 'false',
  ACCESS_TOKEN_TTL: '1d',
})

/** Directus runs on Node 22, which comes as a package for each platform. */
function findNode(): string {
  const require = createRequire(import.meta.url)
  const [platform, program] = process.platform === 'win32' ? ['win', 'node.exe'] : [process.platform, 'node']
  for (const prefix of ['node', 'node-bin']) {
    const manifest = `${prefix}-${platform}-${process.arch}/package.json`
    if (existsSync(`${folder}node_modules/${manifest}`)) return join(dirname(require.resolve(manifest)), 'bin', program)
  }
  throw new Error(`npm has no Node 22 for ${platform}-${process.arch}`)
}

async function post<T>(origin: string, path: string, body: unknown, token?: string): Promise<T> {
  const response = await fetch(origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`Directus refused ${path}: ${await response.text()}`)
  return ((await response.json()) as { data: T }).data
}

type Column = { type: string; special?: string; isKey?: boolean; isOptional?: boolean; default?: unknown }
const key: Column = { type: 'uuid', special: 'uuid', isKey: true }
const link: Column = { type: 'uuid', special: 'm2o', isOptional: true }
const collections: Record<string, Record<string, Column>> = {
  notes: {
    id: key,
    title: { type: 'string' },
    course_code: { type: 'string' },
    academic_year: { type: 'string' },
    instructor: { type: 'string', isOptional: true },
    is_anonymous: { type: 'boolean', special: 'cast-boolean' },
    created_at: { type: 'timestamp', special: 'date-created' },
    likes: { type: 'integer', default: 0 },
    dislikes: { type: 'integer', default: 0 },
    bytes: { type: 'integer' },
    page_count: { type: 'integer', isOptional: true },
    author: link,
  },
  ratings: {
    id: key,
    user: { type: 'uuid', special: 'user-created' },
    note: { ...link, isOptional: false },
    liked: { type: 'boolean', special: 'cast-boolean' },
    created_at: { type: 'timestamp', special: 'date-created' },
  },
}
const relations = [
  ['notes', 'author', 'directus_users'],
  ['ratings', 'user', 'directus_users'],
  ['ratings', 'note', 'notes'],
]
/** Whole collections: rules on rows and fields need a licence. */
const allowed = {
  notes: ['read', 'create'],
  ratings: ['read', 'create', 'delete'],
  directus_files: ['read', 'create'],
  directus_users: ['read'],
}

/** @returns the role of students. */
async function defineCollections(create: <T>(path: string, body: unknown) => Promise<T>): Promise<string> {
  for (const [collection, columns] of Object.entries(collections)) {
    const fields = Object.entries(columns).map(([field, column]) => ({
      field,
      type: column.type,
      schema: {
        is_primary_key: column.isKey ?? false,
        is_nullable: column.isOptional ?? false,
        default_value: column.default,
      },
      meta: { special: column.special ? [column.special] : null },
    }))
    // Without a log of changes, which Lectern does not keep of these tables either.
    await create('/collections', { collection, schema: {}, meta: { accountability: null }, fields })
  }
  for (const [collection, field, related_collection] of relations) {
    await create('/relations', { collection, field, related_collection, schema: { on_delete: 'NO ACTION' } })
  }
  const { id } = await create<{ id: string }>('/roles', { name: 'Student' })
  const permissions = Object.entries(allowed).flatMap(([collection, actions]) =>
    actions.map((action) => ({ collection, action, fields: ['*'] })),
  )
  const policy = { name: 'Student', app_access: false, admin_access: false, permissions, roles: [{ role: id }] }
  await create('/policies', policy)
  return id
}

/** An index for each sort order and filter that is asked for, and likes counted in the statement that stores one. */
const finishCopy = `
  CREATE INDEX ON notes (created_at, id);
  CREATE INDEX ON notes (likes, id);
  CREATE INDEX ON notes (course_code, academic_year, created_at, id);
  CREATE EXTENSION pg_trgm;
  CREATE INDEX ON notes USING gin (lower(title) gin_trgm_ops);
  CREATE INDEX ON notes USING gin (lower(instructor) gin_trgm_ops);
  CREATE UNIQUE INDEX ON ratings ("user", note);
  CREATE INDEX ON ratings (note);
  CREATE FUNCTION count_rating() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    rating ratings := coalesce(new, old);
    change integer := CASE WHEN tg_op = 'INSERT' THEN 1 ELSE -1 END;
  BEGIN
    UPDATE notes SET likes = likes + change * rating.liked::int, dislikes = dislikes + change * (NOT rating.liked)::int
     WHERE id = rating.note;
    RETURN NULL;
  END $$;
  CREATE TRIGGER count_rating AFTER INSERT OR DELETE ON ratings FOR EACH ROW EXECUTE FUNCTION count_rating();`

async function copyRows(lecternUrl: string, directusUrl: string, roleId: string): Promise<void> {
  const [lectern, directus] = [new pg.Client(lecternUrl), new pg.Client(directusUrl)]
  await Promise.all([lectern.connect(), directus.connect()])
  const tables = {
    'directus_users (id, first_name, email, password, status, role)': `
      SELECT id, name, email || '${emailSuffix}', password_hash, 'active', '${roleId}' FROM users JOIN passwords ON user_id = id`,
    'notes (id, title, course_code, academic_year, instructor, is_anonymous, created_at, likes, dislikes, bytes, page_count, author)': `
      SELECT n.id, title, course_code, academic_year, instructor, is_anonymous, created_at, likes, dislikes, bytes,
             page_count, CASE WHEN NOT is_anonymous THEN user_id END FROM notes n JOIN documents d ON d.id = document_id`,
    'ratings (id, "user", note, liked, created_at)': `
      SELECT gen_random_uuid(), user_id, note_id, liked, created_at FROM ratings`,
  }
  for (const [table, rows] of Object.entries(tables)) {
    const from = lectern.query(copyTo(`COPY (${rows}) TO STDOUT`))
    await pipeline(from, directus.query(copyFrom(`COPY ${table} FROM STDIN`)))
  }
  await directus.query(finishCopy)
  await directus.query('VACUUM ANALYZE')
  await Promise.all([lectern.end(), directus.end()])
}

const noteFields = [
  ...['id', 'title', 'course_code', 'academic_year', 'instructor', 'is_anonymous', 'created_at', 'likes', 'dislikes'],
  ...['bytes', 'page_count', 'author.id', 'author.first_name'],
]

/** The page that Lectern answers such a query with, or the same of the notes that the student has liked. */
export function directusList(query: NoteQuery, isOfLiked = false): Call {
  const sort = [query.sortBy === 'likes' ? '-likes' : '-created_at', '-id']
  const wordsOf = (text = '') => text.split(' ').filter(Boolean)
  const conditions = [
    ...wordsOf(query.title).map((word) => ({ title: { _icontains: word } })),
    ...(query.courseCode ? [{ course_code: { _eq: query.courseCode } }] : []),
    ...(query.academicYear ? [{ academic_year: { _eq: query.academicYear } }] : []),
    ...wordsOf(query.instructor).map((word) => ({ instructor: { _icontains: word } })),
    // Directus cannot compare ids of this kind, so that its clients continue after a time alone.
    ...(query.cursorValue ? [{ created_at: { _lt: query.cursorValue } }] : []),
  ]
  const ofLiked = { user: { _eq: '$CURRENT_USER' }, liked: { _eq: true } }
  const search = new URLSearchParams({
    fields: (isOfLiked ? noteFields.map((field) => `note.${field}`) : noteFields).join(),
    filter: JSON.stringify(isOfLiked ? ofLiked : { _and: conditions }),
    sort: (isOfLiked ? sort.map((field) => field.replace('-', '-note.')) : sort).join(),
    // One more tells whether there are more.
    limit: `${pageSize + 1}`,
  })
  return { path: `/items/${isOfLiked ? 'ratings' : 'notes'}?${search}` }
}

export type DirectusPage = { data: { id: string; note?: { id: string } }[] }
export const directusIds = ({ data }: DirectusPage) => data.slice(0, pageSize).map(({ id, note }) => note?.id ?? id)

/** The client chooses the key, so that it can delete a like without looking for it. */
export function directusLike(noteId: string, isLiked: boolean): Call {
  if (!isLiked) return { method: 'DELETE', path: `/items/ratings/${noteId}` }
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ id: noteId, note: noteId, liked: true })
  return { method: 'POST', path: '/items/ratings', headers, body }
}
