import { pdfSaying } from '../../server/test/pdf-kinds.ts'
import type { Attempt } from '../caller.ts'
import type { Gateway } from '../debian/ceph.ts'
import { until } from '../debian/daemons.ts'
import type { Front, Server } from './lectern.ts'
import type { Database } from './patroni.ts'
import type { Book, Student } from './student.ts'

export type Stage = {
  book: Book
  students: Student[]
  front: Front
  webs: Server[]
  workers: Server[]
  database: Database
  store: Gateway
  /** One row's one value, asked of the primary itself. */
  askDatabase(text: string, values?: unknown[]): Promise<unknown>
}

/** What was seen, and what should not have been. */
export type Seen = { facts: string[]; faults: string[] }

/** Beats of the crowd that have to be acknowledged before a scene goes on. */
const enough = 60
const writesBackMs = 15_000
const unanswered = ({ outcome }: Attempt) => outcome === 'broken' || outcome === 'refused'
const isWrite = ({ what }: Attempt) => !what.startsWith('GET')
const isUpload = ({ what }: Attempt) => what === 'POST /api/notes'
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

const since = ({ book }: Stage, fromMs: number) => book.attempts.filter(({ begunMs }) => begunMs >= fromMs)
const acknowledged = (attempts: Attempt[]) => attempts.filter(({ outcome }) => outcome === 'acknowledged')

const untilBusy = (stage: Stage, fromMs = performance.now()) =>
  until('The crowd is answered', async () => acknowledged(since(stage, fromMs)).length >= enough)

const named = (attempts: Attempt[]) =>
  [...new Set(attempts.map(({ what, status }) => `${what}: ${status || 'no answer'}`))].join(', ')

/** What is listed is the book's, as the crowd looks; this says where it was read. */
export async function readLists(stage: Stage): Promise<Seen> {
  const countLists = async (from: 'primary' | 'replica') => {
    const counts = await Promise.all(stage.webs.map((web) => web.countLists(from)))
    return counts.reduce((sum, count) => sum + count, 0)
  }
  const [fromReplica, fromPrimary] = [await countLists('replica'), await countLists('primary')]
  await until('The replica is read', async () => (await countLists('replica')) > fromReplica)
  await untilBusy(stage)
  const [replica, primary] = [(await countLists('replica')) - fromReplica, (await countLists('primary')) - fromPrimary]
  return {
    facts: [`${replica} of ${replica + primary} lists were read from the replica, ${primary} from the primary.`],
    faults: [],
  }
}

/** A server that answers people ends without a word. */
export async function killServer(stage: Stage): Promise<Seen> {
  const { webs, front, book } = stage
  const [killed, other] = webs as [Server, Server]
  await untilBusy(stage)
  const killedMs = performance.now()
  await killed.end('SIGKILL')
  const goneMs = performance.now()
  await untilBusy(stage)
  const inFlight = book.attempts.filter((one) => one.begunMs < goneMs && one.endedMs >= killedMs && unanswered(one))
  const later = since(stage, goneMs).filter(unanswered)
  await front.lead([other])
  await killed.start()
  await front.lead(webs)
  await untilBusy(stage)
  return {
    facts: [
      `${inFlight.length} requests that were in flight had no answer; of ${since(stage, goneMs).length} that came later, ${later.length} failed.`,
    ],
    faults: later.length > 0 ? [`Requests failed that came after a server was killed: ${named(later)}`] : [],
  }
}

/** The machine of the primary loses its power. */
export async function killPrimary(stage: Stage): Promise<Seen> {
  const { database, students } = stage
  await database.untilSynchronous()
  const primary = await database.findPrimary()
  await untilBusy(stage)
  const atMs = performance.now()
  await database.killMachine(primary)
  const writes = () => acknowledged(since(stage, atMs)).filter(isWrite)
  await until('Writes are back', async () => writes().length > 0)
  const firstMs = Math.min(...writes().map(({ endedMs }) => endedMs)) - atMs
  await until('Everybody writes again', async () => writes().length >= 2 * students.length)
  const refused = since(stage, atMs).filter(unanswered)
  const next = await database.findPrimary()
  await database.startMachine(primary)
  await database.untilSynchronous()
  await untilBusy(stage)
  return {
    facts: [
      `PostgreSQL, Patroni and etcd of ${primary} were killed; ${next} took over. The first write was acknowledged after ${seconds(firstMs)}.`,
      `${refused.length} requests were refused meanwhile. ${primary} came back and follows.`,
    ],
    faults: firstMs > writesBackMs ? [`Writes were back after ${seconds(firstMs)} only`] : [],
  }
}

/** A worker ends without a word while it reads documents; the other one takes over. */
export async function killWorker(stage: Stage): Promise<Seen> {
  const { workers, students, askDatabase } = stage
  const [killed, other] = workers as [Server, Server]
  const listActive = (ids: string[] | null) =>
    askDatabase(
      `SELECT coalesce(json_agg(id), '[]') FROM pgboss.job
        WHERE state = 'active' AND name IN ('read-text', 'draw-picture') AND ($1::uuid[] IS NULL OR id = ANY($1))`,
      [ids],
    ) as Promise<string[]>
  await other.end('SIGTERM')
  await Promise.all(students.map((student) => student.upload(pdfSaying('Lemma'))))
  // Many a job is done before the database has answered: the worker stands still while it is asked. What it had sent before
  // may still arrive, hence twice.
  await until('A worker is in the middle of a job', async () => {
    killed.hold()
    let isMidway = false
    try {
      isMidway = (await listActive(await listActive(null))).length > 0
    } finally {
      if (!isMidway) killed.goOn()
    }
    return isMidway
  })
  await killed.end('SIGKILL')
  const midway = await listActive(null)
  await other.start()
  const countJobs = (condition: string) =>
    askDatabase(`SELECT count(*)::int FROM pgboss.job WHERE id = ANY($1) AND ${condition}`, [midway]) as Promise<number>
  await until('Its jobs are done', async () => (await countJobs(`state <> 'completed'`)) === 0)
  const again = await countJobs('retry_count = 1')
  const unmade = await askDatabase(
    `SELECT count(*)::int FROM pgboss.job j JOIN documents d ON d.id = (j.data->>'documentId')::uuid
      WHERE j.id = ANY($1) AND CASE j.name WHEN 'read-text' THEN d.text_state ELSE d.picture_state END <> 'done'`,
    [midway],
  )
  await killed.start()
  return {
    facts: [`It was killed in the middle of ${midway.length} jobs, which the other one took up and did.`],
    faults: [
      ...(midway.length === 0 ? ['No job was under way when the worker was killed.'] : []),
      ...(again === midway.length ? [] : [`${again} of ${midway.length} jobs were taken up once.`]),
      ...(unmade === 0 ? [] : [`${unmade} jobs were done without a result.`]),
    ],
  }
}

/** The store takes nothing more, and then does again. */
export async function fillStore(stage: Stage): Promise<Seen> {
  const { store, webs } = stage
  const isReady = async ({ url }: Server) => (await fetch(`${url}/readyz`)).ok
  await untilBusy(stage)
  const atMs = performance.now()
  await store.setFull(true)
  const uploads = () => since(stage, atMs).filter(isUpload)
  await until('Uploads are refused', async () => uploads().some(({ outcome }) => outcome === 'refused'))
  await until(
    'Both servers say that they are not ready',
    async () => !(await Promise.all(webs.map(isReady))).includes(true),
  )
  const fullMs = performance.now()
  await until(
    'Reads go on',
    async () => acknowledged(since(stage, fullMs)).filter(({ what }) => what.endsWith('/view')).length >= 10,
  )
  await store.setFull(false)
  await until('Both servers are ready again', async () => !(await Promise.all(webs.map(isReady))).includes(false))
  const healedMs = performance.now()
  await untilBusy(stage)
  await until('Uploads are taken again', async () => acknowledged(since(stage, healedMs)).some(isUpload))
  const others = since(stage, atMs).filter((one) => unanswered(one) && !isUpload(one))
  return {
    facts: [
      `${uploads().filter(({ outcome }) => outcome === 'refused').length} uploads were refused, and ${others.length} other requests; both servers said so by /readyz, and notes were read meanwhile.`,
    ],
    faults: others.length > 0 ? [`A full store refused more than uploads: ${named(others)}`] : [],
  }
}

/** Every process is replaced, one after the other. */
export async function upgrade(stage: Stage): Promise<Seen> {
  const { webs, workers, front } = stage
  await untilBusy(stage)
  const atMs = performance.now()
  for (const web of webs) {
    await front.lead(webs.filter((one) => one !== web))
    await web.end('SIGTERM')
    await web.start()
    await front.lead(webs)
    await untilBusy(stage)
  }
  for (const worker of workers) {
    await worker.end('SIGTERM')
    await worker.start()
  }
  await untilBusy(stage)
  const failed = since(stage, atMs).filter(unanswered)
  return {
    facts: [
      `Two servers and two workers were replaced; ${failed.length} of ${since(stage, atMs).length} requests failed.`,
    ],
    faults: failed.length > 0 ? [`Requests failed during an upgrade: ${named(failed)}`] : [],
  }
}
