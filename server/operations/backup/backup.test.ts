import { Readable, Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import tar from 'tar-stream'
import { describe, expect, it } from 'vitest'
import { indexNotes } from '../../features/search/index-notes.ts'
import { foldVersion } from '../../features/search/text-analysis/fold.ts'
import { readRelease, toSqlFile } from '../../platform/db/migrate.ts'
import { version } from '../../platform/db/version.ts'
import { sweepFiles } from '../../platform/storage/file-deletions.ts'
import { newFileKey } from '../../platform/storage/storage.ts'
import { createNote, createUser, openTestApp, openTestAppOn, type TestApp } from '../../testing/app.ts'
import { queryAt as query } from '../../testing/database.ts'
import { quietLog } from '../../testing/log.ts'
import { waitForMail } from '../../testing/mails.ts'
import { openRestoreTarget } from '../../testing/restore-target.ts'
import { documentOf, putBytes } from '../../testing/stored-files.ts'
import { cookieOf, logIn, patch, post } from '../../testing/students.ts'
import { enqueueRestored } from '../start/open-dependencies.ts'
import { restoreArchive } from './restore-archive.ts'
import { writeArchive } from './write-archive.ts'

const test = await openTestApp()
const { deps } = test
const quiet = { signal: new AbortController().signal, onProgress: () => {} }

type Given = { files?: typeof deps.files; onProgress?: () => void }

/** Makes a backup of the test's server. */
async function makeBackup(
  from: Pick<TestApp, 'databaseUrl' | 'deps'> = test,
  { files = from.deps.files, onProgress = () => {} }: Given = {},
) {
  const chunks: Buffer[] = []
  const output = new Writable({
    write(chunk, _, done) {
      chunks.push(chunk)
      done()
    },
  })
  const { databaseUrl, deps } = from
  const options = { databaseUrl, db: deps.db, files, log: quietLog, ...quiet, onProgress }
  const end = await writeArchive(output, options)
  return { archive: Buffer.concat(chunks), end }
}

async function openTarget() {
  const { dataDir, databaseUrl, files, spool } = await openRestoreTarget()
  const restore = (archive: Buffer | Readable, given: Partial<Parameters<typeof restoreArchive>[1]> = {}) => {
    const input = archive instanceof Readable ? archive : Readable.from(slices(archive))
    return restoreArchive(input, { databaseUrl, files, kept: null, spool, replace: false, ...quiet, ...given })
  }
  return { dataDir, databaseUrl, files, restore }
}
type Target = Awaited<ReturnType<typeof openTarget>>

function* slices(bytes: Buffer, size = 65_536): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** Starts a server on restored data. */
const serve = ({ databaseUrl, dataDir }: Target) => openTestAppOn({ databaseUrl, mails: [] }, { DATA_DIR: dataDir })

/** Returns every row of every table in a backup, and the definitions of the tables. */
async function dump(databaseUrl: string) {
  const tables = await query<{ name: string }>(
    databaseUrl,
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN
       ('schema_migrations', 'file_deletions', 'deletion_holds', 'rate_limits', 'storage_identity', 'restored_jobs') ORDER BY 1`,
  )
  const selects = tables.map(({ name }) => `SELECT '${name}' AS name, t::text AS row FROM "${name}" t`)
  const rows = await query(databaseUrl, `${selects.join(' UNION ALL ')} ORDER BY 1, 2`)
  const shape = await query(
    databaseUrl,
    `SELECT 'index' AS kind, indexdef AS text FROM pg_indexes WHERE schemaname = 'public'
      UNION ALL SELECT 'trigger', tgname || tgenabled::text FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
              WHERE NOT tgisinternal AND relnamespace = 'public'::regnamespace
      UNION ALL SELECT 'constraint', conrelid::regclass || pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
      UNION ALL SELECT 'migration', name || sha256 FROM schema_migrations ORDER BY 1, 2`,
  )
  return { tables, rows, shape }
}

const listFiles = async ({ files }: Pick<Target, 'files'>) => (await Array.fromAsync(files.list())).sort()
const ada = await createUser(test, { name: 'Ada \\ "Okafor"\t\n Ünïcode' })
const grace = await createUser(test)
const noteId = await createNote(test, ada, { title: 'Tabs\tand \\N backslashes' })
await createNote(test, ada, { title: 'Another', isAnonymous: true })
await patch(test, `/api/notes/${noteId}/rating`, { likes: '+' }, grace.auth)
const { id: document_id } = await documentOf(test, noteId)
await sql`
  INSERT INTO document_pages (document_id, page, text, words, fold_version)
  VALUES (${document_id}, 1, ${'eigenvalues\n\\. of matrices'}, ' eigenvalues matrices ', ${foldVersion})`.execute(
  deps.db,
)
await indexNotes(deps.db)

const alertOf = (email: string) => `INSERT INTO security_alerts (user_id, kind, email)
  VALUES ('${ada.id}', 'password-changed', '${email}') RETURNING number`
const exportKey = newFileKey()
await putBytes(deps.files, exportKey, Buffer.from('what a student takes along'))
await sql`
  INSERT INTO exports (user_id, file_key, bytes, expires_at)
  VALUES (${ada.id}, ${exportKey}, 26, now() + interval '1 day')`.execute(deps.db)
for (let n = 0; n < 3; n++) await query(test.databaseUrl, alertOf('ada@uni.example'))

it('a backup is restored to the last row and file, ready to be searched', async () => {
  const { archive, end } = await makeBackup()
  expect(end).toMatchObject({ files: 3, missing: [], damaged: [] })
  const target = await openTarget()
  expect(await target.restore(archive)).toMatchObject({ files: 3, missing: [], damaged: [] })
  expect(await dump(target.databaseUrl)).toEqual(await dump(test.databaseUrl))
  expect(await listFiles(target)).toEqual(await listFiles(deps))
  expect(await query(target.databaseUrl, alertOf('after@uni.example'))).toEqual([{ number: 4 }])
  const restored = await serve(target)
  const found = await restored.app.inject({ url: '/api/search?text=eigenvalues', headers: grace.auth })
  expect(found.json().hits).toMatchObject([{ note: { _id: noteId, likes: 1, user: { name: ada.name } } }])
  expect((await restored.app.inject({ url: `/api/notes/${noteId}/view`, headers: grace.auth })).rawPayload).toEqual(
    await buffer((await deps.files.get((await documentOf(test, noteId)).file_key)) ?? Readable.from([])),
  )
})

it('a backup keeps sessions, under another secret too', async () => {
  const loggedIn = await logIn(test, grace.email)
  const target = await openTarget()
  await target.restore((await makeBackup()).archive)
  const restored = await serve(target)
  restored.deps.secret = 'the secret of another machine, as long as it must be'
  expect((await post(restored, '/api/users/auth/refresh', undefined, cookieOf(loggedIn))).statusCode).toBe(200)
})

it('a backup contains each unsent email once, and no sent one', async () => {
  const web = { ROLE: 'web', DATABASE_URL: 'postgres://unused', SECRET: 'x'.repeat(32) }
  const mailJobs = `SELECT id FROM pgboss.job WHERE name = 'account-mail'`
  const source = await openTestApp(web)
  const form = { name: 'Lin', email: 'lin@uni.example', password: 'Marigold desk 42!' }
  await post(source, '/api/users/', { ...form, confirmPassword: form.password })
  const waiting = await query(source.databaseUrl, mailJobs)
  expect(waiting).toHaveLength(1)
  const target = await openTarget()
  await target.restore((await makeBackup(source)).archive)
  // A backup made before any server has started on the restored data still has them.
  const again = await openTarget()
  const idle = await openTestAppOn({ ...target, mails: [] }, { DATA_DIR: target.dataDir, ...web })
  await again.restore((await makeBackup(idle)).archive)
  const restored = await serve(again)
  await Promise.all([enqueueRestored(restored.deps), enqueueRestored(restored.deps)])
  await waitForMail(restored, form.email)
  expect(await query(again.databaseUrl, mailJobs)).toEqual(waiting)
  expect(await query(again.databaseUrl, 'SELECT FROM restored_jobs')).toEqual([])
})

it('a backup has the files of its moment, though notes are deleted and files swept while it is made', async () => {
  const going = await createNote(test, ada)
  const key = (await documentOf(test, going)).file_key
  const doomed = (await documentOf(test, noteId)).file_key
  let swept = false
  const files = {
    ...deps.files,
    /** Before the first file is read, everything that can be deleted is deleted. */
    async getSize(asked: string) {
      if (!swept) {
        swept = true
        await sql`UPDATE notes SET created_at = created_at`.execute(deps.db)
        await test.app.inject({ method: 'DELETE', url: `/api/users/me/notes/${going}`, headers: ada.auth })
        expect(await sweepFiles(deps.db, deps.files, quiet.signal)).toBe(0)
      }
      return deps.files.getSize(asked)
    },
  }
  const { archive, end } = await makeBackup(test, { files })
  expect(end).toMatchObject({ files: 4, missing: [] })
  // After the backup, due files are deleted.
  expect(await sweepFiles(deps.db, deps.files, quiet.signal)).toBe(1)
  const target = await openTarget()
  await target.restore(archive)
  expect(await listFiles(target)).toEqual(expect.arrayContaining([key, doomed]))
})

it('a backup is refused of a database that an older Lectern has left', async () => {
  const target = await openTarget()
  await target.restore((await makeBackup()).archive)
  const restored = await serve(target)
  await sql`DELETE FROM schema_migrations`.execute(restored.deps.db)
  await expect(makeBackup(restored)).rejects.toThrow('The database belongs to an older Lectern')
  expect(await restored.deps.db.selectFrom('deletion_holds').selectAll().execute()).toEqual([])
})

describe('a restore', async () => {
  const { archive } = await makeBackup()
  const kept = await dump(test.databaseUrl)
  const keptFiles = await listFiles(deps)

  it('removes nothing without --replace, and everything with it', async () => {
    const target = await openTarget()
    await target.restore(archive)
    const before = await dump(target.databaseUrl)
    const stray = newFileKey()
    await putBytes(target.files, stray, Buffer.from('of a note that goes'))
    await query(target.databaseUrl, `UPDATE users SET name = 'Somebody else'; CREATE TABLE extra (id integer)`)
    await expect(target.restore(archive)).rejects.toThrow(
      'The database isn’t empty. Use --replace to replace its data.',
    )
    await target.restore(archive, { replace: true })
    expect(await dump(target.databaseUrl)).toEqual(before)
    const restored = await serve(target)
    await sweepFiles(restored.deps.db, target.files, quiet.signal)
    expect(await listFiles(target)).toEqual(keptFiles)
  })

  it('is refused where files lie, where a Lectern works, and among tables of something else', async () => {
    const filled = await openTarget()
    await putBytes(filled.files, newFileKey(), Buffer.from('x'))
    await expect(filled.restore(archive)).rejects.toThrow('The storage contains files.')
    const busy = await openTarget()
    await busy.restore(archive)
    await serve(busy)
    await expect(busy.restore(archive, { replace: true })).rejects.toThrow('A Lectern server uses this database.')
    const others = await openTarget()
    await query(others.databaseUrl, 'CREATE TABLE invoices (id integer)')
    await expect(others.restore(archive, { replace: true })).rejects.toThrow('tables of another program')
  })

  const replaced = (part: string, by: Buffer | null) => (bytes: Buffer) =>
    rewrite(bytes, (name, content) => (name.includes(part) ? by : content))
  const withOtherSchema = (manifest: object) => ({ ...manifest, schema: [{ name: 'schema.sql', sha256: 'x' }] })
  /** Every way in which an archive can be damaged. */
  const broken: [string, (bytes: Buffer) => Buffer | Promise<Buffer>][] = [
    ['nothing', () => Buffer.alloc(0)],
    ['something else', () => Buffer.from('%PDF-1.7 and no archive at all')],
    ['cut off in the rows', (bytes) => bytes.subarray(0, 8_000)],
    ['cut off in the last file', (bytes) => bytes.subarray(0, bytes.length - 4_000)],
    ['without its end', replaced('end.json', null)],
    ['without a file', replaced('files/', null)],
    ['without rows', replaced('/passwords/', null)],
    ['with a row less', replaced('/ratings/', gzipSync(''))],
    ['with rows that do not fit', replaced('/users/', gzipSync('1\t2\n'))],
    ['with damaged rows', replaced('/users/', Buffer.from('x'))],
    ['of a Lectern with another schema', (bytes) => rewriteManifest(bytes, withOtherSchema)],
    ['with a member of another kind', (bytes) => rewrite(bytes, (_, content) => content, '../outside')],
  ]
  it('of any of them brings nothing onto an empty machine', async () => {
    const target = await openTarget()
    for (const [, change] of broken)
      await expect(target.restore(await change(archive))).rejects.toThrow(/backup|Lectern/)
    expect(await listFiles(target)).toEqual([])
    expect(await query(target.databaseUrl, `SELECT FROM pg_tables WHERE schemaname = 'public'`)).toEqual([])
  })

  describe('over what there is', async () => {
    const target = await openTarget()
    await target.restore(archive)
    const before = { ...(await dump(target.databaseUrl)), files: await listFiles(target) }

    it.each(broken)('of an archive that is %s leaves everything as it was', async (_what, change) => {
      await expect(target.restore(await change(archive), { replace: true })).rejects.toThrow(/backup|Lectern/)
      expect({ ...(await dump(target.databaseUrl)), files: await listFiles(target) }).toEqual(before)
    })
  })

  it('that is interrupted leaves nothing', async () => {
    const target = await openTarget()
    const stopping = new AbortController()
    const onProgress = (what: string) => what === 'files' && stopping.abort()
    await expect(target.restore(archive, { signal: stopping.signal, onProgress })).rejects.toThrow('abort')
    expect(await listFiles(target)).toEqual([])
    expect(await query(target.databaseUrl, `SELECT FROM pg_tables WHERE schemaname = 'public'`)).toEqual([])
  })

  it('of an older Lectern’s backup applies the migrations that came after it', async () => {
    const own = await readRelease()
    const newer = toSqlFile('0001_shelves.sql', `ALTER TABLE users ADD shelf text; UPDATE users SET shelf = name`)
    const target = await openTarget()
    await target.restore(archive, { release: { version: '1.1.0', files: [...own.files, newer] } })
    const shelves = await query<{ name: string; shelf: string }>(target.databaseUrl, 'SELECT name, shelf FROM users')
    expect(shelves.map(({ shelf }) => shelf).sort()).toEqual([ada.name, grace.name].sort())
    const back = `ALTER TABLE users DROP shelf; DELETE FROM schema_migrations WHERE name = '${newer.name}'`
    await query(target.databaseUrl, back)
    expect(await dump(target.databaseUrl)).toEqual(kept)
  })

  it('and a backup succeed, however slowly, on a PostgreSQL that ends idle and long transactions', async () => {
    const target = await openTarget()
    const database = new URL(target.databaseUrl).pathname.slice(1)
    await query(target.databaseUrl, `ALTER DATABASE "${database}" SET idle_in_transaction_session_timeout = '50ms'`)
    // PostgreSQL 17 and later.
    if ((await query(target.databaseUrl, `SELECT FROM pg_settings WHERE name = 'transaction_timeout'`)).length > 0)
      await query(target.databaseUrl, `ALTER DATABASE "${database}" SET transaction_timeout = '1s'`)
    const slowly = async function* () {
      for (const slice of slices(archive, Math.ceil(archive.length / 12))) {
        await setTimeout(150)
        yield slice
      }
    }
    const isWhole = { files: 3, missing: [], damaged: [] }
    expect(await target.restore(Readable.from(slowly()))).toMatchObject(isWhole)
    const get: typeof deps.files.get = async (key) => {
      await setTimeout(400)
      return target.files.get(key)
    }
    const { end } = await makeBackup({ ...target, deps }, { files: { ...target.files, get } })
    expect(end).toMatchObject(isWhole)
  })

  it('names a lost connection as the reason, and does not call the backup damaged', async () => {
    const target = await openTarget()
    const database = new URL(target.databaseUrl).pathname.slice(1)
    const isLoading = `SELECT count(pg_terminate_backend(pid))::integer AS ended FROM pg_stat_activity
                        WHERE datname = '${database}' AND query LIKE 'COPY%'`
    const interrupted = async function* () {
      let ended = 0
      for (const slice of slices(archive, 2_048)) {
        if (ended === 0) ended = (await query<{ ended: number }>(test.databaseUrl, isLoading))[0]?.ended ?? 0
        yield slice
      }
    }
    await expect(target.restore(Readable.from(interrupted()))).rejects.toThrow(/^The database connection was lost/)
  })

  it.each([
    ['another schema', withOtherSchema],
    ['another format', (manifest: object) => ({ ...manifest, format: 99, schema: undefined })],
  ])('of a backup with %s names the version that can restore it', async (_what, change) => {
    const other = await rewriteManifest(archive, (manifest) => ({ ...change(manifest), lectern: '7.6.5' }))
    const target = await openTarget()
    const refusal = `The backup was created by Lectern 7.6.5, whose schema differs from Lectern ${version}. Restore it with Lectern 7.6.5.`
    await expect(target.restore(other)).rejects.toThrow(refusal)
  })

  it('knows of every table, and of nothing in the schema that it would not bring back', async () => {
    const withoutColumn = `SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'S'
       AND oid NOT IN (SELECT objid FROM pg_depend WHERE deptype = 'i')`
    expect(await query(test.databaseUrl, withoutColumn)).toEqual([])
    const otherKinds = `SELECT DISTINCT relkind FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind NOT IN ('r', 'i', 'S')`
    expect(await query(test.databaseUrl, otherKinds)).toEqual([])
  })
})

const rewriteManifest = (bytes: Buffer, change: (manifest: object) => object): Promise<Buffer> =>
  rewrite(bytes, (name, content) =>
    name === 'lectern-backup.json' ? Buffer.from(JSON.stringify(change(JSON.parse(String(content))))) : content,
  )

/** Returns the archive with other contents; null leaves a member out. */
async function rewrite(bytes: Buffer, change: (name: string, content: Buffer) => Buffer | null, more?: string) {
  const extract = tar.extract()
  const pack = tar.pack()
  Readable.from(slices(bytes)).pipe(extract as unknown as Writable)
  const packed = buffer(Readable.from(pack as AsyncIterable<Buffer>))
  for await (const entry of extract) {
    const content = change(entry.header.name, await buffer(Readable.from(entry as AsyncIterable<Buffer>)))
    if (more && entry.header.name === 'end.json') pack.entry({ name: more }, 'x')
    if (content) pack.entry({ name: entry.header.name }, content)
  }
  pack.finalize()
  return packed
}
