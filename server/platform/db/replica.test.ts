import { sql } from 'kysely'
import { afterAll, beforeEach, expect, inject, it } from 'vitest'
import type { NotePage, SearchPage, Suggestions } from '../../../packages/contract/search.ts'
import { setHidden } from '../../features/notes/notes.ts'
import { checkReplica } from '../../operations/admin/doctor/check-database.ts'
import { serveMetrics } from '../../operations/metrics/serve-metrics.ts'
import { createNote, createUser, openTestAppOn, type TestApp, type TestUser } from '../../testing/app.ts'
import { onTestEnd } from '../../testing/data-folder.ts'
import { quietLog } from '../../testing/log.ts'
import { readSamples, sumOf } from '../../testing/prometheus-text.ts'
import { startProxy } from '../../testing/proxy.ts'
import { startReplicated } from '../../testing/replicated.ts'
import { makeAnonymous, rate, remove } from '../../testing/students.ts'
import { createMetrics } from '../observability/telemetry.ts'
import { type Db, openPool } from './pool.ts'
import { createQueryRunner, type QueryRunner } from './query-with-timeout.ts'
import { openReplica } from './replica.ts'
import { inTransaction } from './transaction.ts'

const { primaryUrl, replicaUrl } = await startReplicated()
const replica = openPool(replicaUrl, 1, quietLog)
afterAll(() => replica.db.destroy())

const mails: TestApp['mails'] = []
const way = await startProxy(replicaUrl)
afterAll(() => way.close())
/** A second server without a replica, which makes the changes. */
const elsewhere = await openTestAppOn({ databaseUrl: primaryUrl, mails })
const toReplica = { DATABASE_URL: primaryUrl, DATABASE_REPLICA_URL: way.url }
const test = await openTestAppOn({ databaseUrl: primaryUrl, mails }, toReplica)
const [author, reader] = [await createUser(elsewhere, { name: 'Zoe Author' }), await createUser(elsewhere)]
const details = { title: 'Zqxtitle of rings', courseCode: 'ZQX101', instructor: 'Zqxprof' }

async function get<T>(url: string, { auth }: TestUser = reader): Promise<T> {
  const { statusCode, body } = await test.app.inject({ url, headers: auth })
  expect(statusCode, body).toBe(200)
  return JSON.parse(body) as T
}
const list = async (path = '/api/notes', user = reader) => (await get<NotePage>(path, user)).notes
const idsOf = async (path?: string, user?: TestUser) => (await list(path, user)).map(({ _id }) => _id)

type From = 'primary' | 'replica'
async function countReads(from: From, { listReads } = test.deps.telemetry.metrics): Promise<number> {
  const { values } = await listReads.get()
  return values.find(({ labels }) => labels.from === from)?.value ?? 0
}
async function isReadFrom(from: From, read: () => Promise<unknown>, { deps } = test): Promise<boolean> {
  const { metrics } = deps.telemetry
  const before = await countReads(from, metrics)
  await read()
  return (await countReads(from, metrics)) > before
}
const untilReplicaReads = () => expect.poll(() => isReadFrom('replica', () => list())).toBe(true)

/** Pauses the replica, so that later commits do not reach it. */
async function pauseReplay(): Promise<void> {
  await sql`SELECT pg_wal_replay_pause()`.execute(replica.db)
  const state = async () =>
    (await sql<{ state: string }>`SELECT pg_get_wal_replay_pause_state() AS state`.execute(replica.db)).rows[0]?.state
  await expect.poll(state).toBe('paused')
}
const resumeReplay = () => sql`SELECT pg_wal_replay_resume()`.execute(replica.db)

beforeEach(untilReplicaReads)

it('lists and searches are read from the replica, each of them', async () => {
  const noteId = await createNote(elsewhere, author, details)
  await elsewhere.deps.db.insertInto('ratings').values({ note_id: noteId, user_id: reader.id, liked: true }).execute()
  for (const path of [
    '/api/notes',
    '/api/notes?sortBy=likes&title=zqxtitle',
    '/api/users/me/notes',
    '/api/users/me/notes/liked',
    '/api/search?text=zqxtitle',
    '/api/suggestions?text=zqx',
    '/api/notes/count?scope=all',
    `/api/notes/${noteId}/related`,
    `/api/people/${author.id}/notes`,
    '/api/courses',
    '/api/courses/zqx101/notes',
  ]) {
    await expect.poll(() => isReadFrom('replica', () => get(path)), { message: path }).toBe(true)
  }
})

it('lists and searches show changes of another server immediately, whatever the replica has of them', async () => {
  const make = () => createNote(elsewhere, author, details)
  const [hidden, deleted, unnamed] = [await make(), await make(), await make()]
  await untilReplicaReads()
  const byAuthor = `/api/people/${author.id}/notes`
  expect(await idsOf(byAuthor)).toEqual(expect.arrayContaining([hidden, deleted, unnamed]))
  await pauseReplay()
  const { db } = elsewhere.deps
  await inTransaction(db, (tx) => setHidden(tx, hidden, { rule: 'exam', reason: 'Still to be written.' }))
  await remove(elsewhere, `/api/users/me/notes/${deleted}`, author.auth)
  await makeAnonymous(elsewhere, author, unnamed)
  await rate(elsewhere, reader, unnamed, { likes: '+' })
  const shared = await make()
  expect(await isReadFrom('primary', () => list())).toBe(true)
  for (const path of ['/api/notes', '/api/notes?title=zqxtitle', '/api/courses/zqx101/notes']) {
    const notes = await list(path)
    const found = notes.map(({ _id }) => _id)
    expect(found).toEqual(expect.arrayContaining([shared, unnamed]))
    expect(found).not.toContain(hidden)
    expect(found).not.toContain(deleted)
    expect(notes.find(({ _id }) => _id === unnamed)).toMatchObject({ user: null, isAnonymous: true, likes: 1 })
  }
  expect(await idsOf('/api/users/me/notes/liked')).toContain(unnamed)
  expect(await idsOf('/api/users/me/notes', author)).toEqual(expect.arrayContaining([shared, hidden]))
  expect(await idsOf(byAuthor)).not.toEqual(expect.arrayContaining([unnamed]))
  const { hits } = await get<SearchPage>('/api/search?text=zqxtitle')
  expect(hits.map(({ note }) => note._id)).not.toContain(hidden)
  const ofReplica = replica.db.selectFrom('notes').select('hidden_at').where('id', '=', hidden)
  expect(await ofReplica.execute()).toEqual([{ hidden_at: null }])
  await resumeReplay()
  await untilReplicaReads()
  expect(await idsOf()).not.toContain(hidden)
})

it('lists and searches never miss what was acknowledged before them, while the replica goes on and on', async () => {
  const [before, rounds] = [await countReads('replica'), 20]
  for (let round = 0; round < rounds; round++) {
    const noteId = await createNote(elsewhere, author, details)
    const found = await Promise.all([idsOf(), idsOf('/api/notes?instructor=zqxprof'), idsOf(undefined, author)])
    expect(found.map((ids) => ids.includes(noteId))).toEqual([true, true, true])
    await elsewhere.deps.db.deleteFrom('notes').where('id', '=', noteId).execute()
    const { titles } = await get<Suggestions>('/api/suggestions?text=zqxtitle')
    const { hits } = await get<SearchPage>('/api/search?text=zqxtitle')
    expect([titles.length > 0, hits.some(({ note }) => note._id === noteId)]).toEqual([hits.length > 0, false])
  }
  await untilReplicaReads()
  expect(await countReads('replica')).toBeGreaterThan(before)
})

/** Opens a replica as a server does. */
function open(url: string, onPrimary: QueryRunner & { db: Db } = elsewhere.deps) {
  const metrics = createMetrics()
  const common = { size: 2, isPrepared: true, log: quietLog, observe: () => {} }
  const opened = openReplica({ url, db: onPrimary.db, metrics, ...common })
  onTestEnd(opened.close)
  const { read } = opened.preferReplica(onPrimary)
  const isReplica = () =>
    read(async (db) => (await sql<{ is: boolean }>`SELECT pg_is_in_recovery() AS is`.execute(db)).rows[0]?.is)
  return { ...opened, metrics, isReplica, read }
}

it('while the primary is away, lists, searches, notes and files are answered for sessions of the replica, and nothing is written', async () => {
  const toPrimary = await startProxy(primaryUrl)
  onTestEnd(() => toPrimary.close())
  const env = { ...toReplica, DATABASE_URL: toPrimary.url }
  const server = await openTestAppOn({ ...elsewhere, databaseUrl: toPrimary.url }, env)
  const [user, former] = [await createUser(server), await createUser(server)]
  const noteId = await createNote(server, user, details)
  await elsewhere.deps.db.deleteFrom('sessions').where('id', '=', former.sessionId).execute()
  const ask = (url: string, { auth }: TestUser = user) => server.app.inject({ url, headers: auth })
  const like = () => rate(server, reader, noteId, { likes: '+' })
  const countLikes = async () =>
    (await elsewhere.deps.db.selectFrom('ratings').where('note_id', '=', noteId).selectAll().execute()).length
  // The replica has replayed the changes, and the server knows that it belongs to this primary.
  await expect.poll(() => isReadFrom('replica', () => ask('/api/notes'), server)).toBe(true)
  toPrimary.cut()
  for (const path of [
    '/api/notes',
    '/api/notes?title=zqxtitle',
    '/api/users/me/notes',
    '/api/search?text=zqxtitle',
    '/api/suggestions?text=zqx',
    '/api/courses/zqx101/notes',
    `/api/people/${user.id}/notes`,
    `/api/notes/${noteId}`,
  ]) {
    const { statusCode, body } = await ask(path)
    expect(statusCode, `${path}: ${body}`).toBe(200)
    expect(body, path).toMatch(/zqx/i)
  }
  const file = await ask(`/api/notes/${noteId}/view`)
  expect([file.statusCode, file.rawPayload.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
  expect((await ask('/api/notes', former)).statusCode).toBe(401)
  expect((await like()).statusCode).toBe(503)
  const readiness = await ask('/readyz')
  expect([readiness.statusCode, readiness.json().parts]).toMatchObject([200, { database: 'failed', replica: 'ok' }])
  toPrimary.restore()
  expect(await countLikes()).toBe(0)
  await expect.poll(async () => (await like()).statusCode).toBe(200)
  expect(await countLikes()).toBe(1)
})

it('while the primary is away, a replica that has never been compared with it answers nothing', async () => {
  const { db } = openPool('postgres://127.0.0.1:1/lectern', 1, quietLog)
  onTestEnd(() => db.destroy())
  const { read } = open(replicaUrl, { db, ...createQueryRunner(db, elsewhere.deps.queryWithTimeout) })
  await expect(read((on) => sql`SELECT 1`.execute(on))).rejects.toThrow(/ECONNREFUSED/)
})

it('a replica that is unavailable delays no list, and is read again when it is back', async () => {
  way.cut()
  expect(await isReadFrom('primary', () => list())).toBe(true)
  way.restore()
  await untilReplicaReads()
})

it('a replica that does not respond delays no list', async () => {
  const muted = await startProxy(replicaUrl)
  const { isReplica } = open(muted.url)
  await expect.poll(isReplica).toBe(true)
  muted.mute('lectern')
  expect(await isReplica()).toBe(false)
  await muted.close()
})

it('a replica that is the primary itself is never read', async () => {
  const { isReplica, metrics, countBytesBehind } = open(primaryUrl)
  for (let round = 0; round < 5; round++) expect(await isReplica()).toBe(false)
  expect(await countBytesBehind()).toBe(null)
  expect([await countReads('replica', metrics), await countReads('primary', metrics)]).toEqual([0, 5])
})

it('a replica of another cluster is never read', async () => {
  const { db } = openPool(inject('postgresUrl'), 1, quietLog)
  const onPrimary = { db, ...createQueryRunner(db, elsewhere.deps.queryWithTimeout) }
  const { isReplica, countBytesBehind } = open(replicaUrl, onPrimary)
  expect(await countBytesBehind()).toBe(null)
  expect(await isReplica()).toBe(false)
  await db.destroy()
})

it.each([
  ['ok', 'is up to date', () => [primaryUrl, replicaUrl]],
  ['failure', 'isn’t a replica of DATABASE_URL', () => [inject('postgresUrl'), replicaUrl]],
  ['failure', 'isn’t a replica of DATABASE_URL', () => [primaryUrl, primaryUrl]],
  ['failure', 'isn’t responding', () => [primaryUrl, 'postgres://127.0.0.1:1/lectern']],
] as const)('a replica is %s to the doctor when it %s', async (kind, text, urls) => {
  const [url = '', ofReplica = ''] = urls()
  expect(await checkReplica(url, ofReplica)).toEqual([{ kind, text: expect.stringContaining(text) }])
})

it('a replica has metrics', async () => {
  const metrics = await serveMetrics(test.deps, 0)
  const scrape = async () => readSamples(await (await fetch(`${metrics.address}/metrics`)).text())
  await expect.poll(async () => sumOf(await scrape(), 'lectern_database_replica_behind_bytes')).toBe(0)
  await pauseReplay()
  await createNote(elsewhere, author, details)
  expect(sumOf(await scrape(), 'lectern_database_replica_behind_bytes')).toBeGreaterThan(0)
  await resumeReplay()
  expect(sumOf(await scrape(), 'lectern_list_reads_total', { from: 'replica' })).toBeGreaterThan(0)
  expect(sumOf(await scrape(), 'lectern_database_connections', { pool: 'replica' })).toBeGreaterThan(0)
  await metrics.close()
})

it('a replica that has become a primary is read no more', async () => {
  await sql`SELECT pg_promote()`.execute(replica.db)
  const noteId = await createNote(elsewhere, author, details)
  const before = await countReads('replica')
  expect(await idsOf()).toContain(noteId)
  expect(await idsOf()).toContain(noteId)
  expect(await countReads('replica')).toBe(before)
})
