import { setTimeout } from 'node:timers/promises'
import { type Daemon, waitUntil } from '../services.ts'
import {
  type ClusterEnvironment,
  type Environment,
  type SentRequest,
  type SingleEnvironment,
  withDatabase,
} from './environment.ts'
import { pick } from './ledger.ts'
import type { User } from './user.ts'

/** What a scenario saw, and what it should not have seen. */
export type Result = { name: string; fact: string; problems: string[] }

const toResult = (name: string, fact: string, problem: string | false = false): Result => ({
  name,
  fact,
  problems: problem ? [problem] : [],
})

/** Requests that have to be acknowledged before a scenario goes on. */
const enough = 60
const maxWriteOutageMs = 15_000
const isUnanswered = ({ outcome }: SentRequest) => outcome === 'unanswered'
const isUpload = ({ what }: SentRequest) => what === 'POST /api/notes'
/** Making a note anonymous writes a file, too. */
const writesFile = (request: SentRequest) => isUpload(request) || request.what.startsWith('PATCH /api/users/me/notes')
const toList = (requests: SentRequest[]) =>
  [...new Set(requests.map(({ what, status }) => `${what}: ${status || 'no answer'}`))].join(', ')

const listSince = ({ requests }: Environment, fromMs: number) => requests.filter(({ begunMs }) => begunMs >= fromMs)
const listAcknowledged = (environment: Environment, fromMs: number) =>
  listSince(environment, fromMs).filter(({ outcome }) => outcome === 'acknowledged')

const waitUntilBusy = (environment: Environment, fromMs = performance.now()) =>
  waitUntil('Users are answered', async () => listAcknowledged(environment, fromMs).length >= enough)

/** Uploads are refused and notes are read while the storage is full. */
export async function fillStorage(environment: ClusterEnvironment): Promise<Result> {
  const { gateway } = environment
  await waitUntilBusy(environment)
  const filledMs = performance.now()
  await gateway.setFull(true)
  const listRefused = () => listSince(environment, filledMs).filter(isUnanswered)
  try {
    await waitUntil('Uploads are refused', async () => listRefused().some(isUpload))
    const fullMs = performance.now()
    const isView = ({ what }: SentRequest) => what.endsWith('/view')
    await waitUntil('Notes are read', async () => listAcknowledged(environment, fullMs).filter(isView).length >= 5)
  } finally {
    await gateway.setFull(false)
  }
  const healedMs = performance.now()
  await waitUntil('Uploads are accepted', async () => listAcknowledged(environment, healedMs).some(isUpload))
  const others = listRefused().filter((request) => !writesFile(request))
  const fact = `${listRefused().filter(isUpload).length} uploads were refused, while notes were read.`
  return toResult(
    'The storage is full',
    fact,
    others.length > 0 && `More than writes of files were refused: ${toList(others)}`,
  )
}

export async function readFromReplica(environment: ClusterEnvironment): Promise<Result> {
  const { countListReads } = environment
  const [replica, primary] = [await countListReads('replica'), await countListReads('primary')]
  await waitUntil('Lists are read from the replica', async () => (await countListReads('replica')) > replica)
  await waitUntilBusy(environment)
  const reads = `${(await countListReads('replica')) - replica} lists were read from the replica`
  const fact = `${reads} and ${(await countListReads('primary')) - primary} from the primary.`
  return toResult('Lists are read from the replica', fact)
}

function expectNoFailure(name: string, requests: SentRequest[]): Result {
  const failed = requests.filter(isUnanswered)
  const problem = failed.length > 0 && `Requests failed: ${toList(failed)}`
  return toResult(name, `${failed.length} of ${requests.length} requests failed.`, problem)
}

/** Requests that begin after a server was killed are answered by the other one. */
export async function killServer(environment: ClusterEnvironment): Promise<Result> {
  const [killed, other] = environment.webs as [Daemon, Daemon]
  await waitUntilBusy(environment)
  await killed.stop('SIGKILL')
  const killedMs = performance.now()
  await waitUntilBusy(environment)
  const later = listSince(environment, killedMs)
  await environment.route([other.port])
  await killed.start()
  await environment.route([killed.port, other.port])
  await waitUntilBusy(environment)
  return expectNoFailure('A web server is killed', later)
}

/** The machine of the primary loses its power. */
export async function killPrimary(environment: ClusterEnvironment, users: User[]): Promise<Result> {
  const { database } = environment
  await database.waitUntilSynchronous()
  const primary = await database.findPrimary()
  await waitUntilBusy(environment)
  const killedMs = performance.now()
  await database.killMachine(primary)
  const listWrites = () => listAcknowledged(environment, killedMs).filter(({ what }) => !what.startsWith('GET'))
  await waitUntil('Writes are acknowledged again', async () => listWrites().length >= 2 * users.length)
  const outageMs = Math.min(...listWrites().map(({ endedMs }) => endedMs)) - killedMs
  const refused = listSince(environment, killedMs).filter(isUnanswered).length
  const next = await database.findPrimary()
  await database.startMachine(primary)
  await database.waitUntilSynchronous()
  await waitUntilBusy(environment)
  const text = `The first write was acknowledged after ${(outageMs / 1000).toFixed(1)} s`
  const fact = `${next.name} took over from ${primary.name}. ${text}; ${refused} requests were refused before.`
  const problem = outageMs > maxWriteOutageMs && `${text}, which is too late`
  return toResult('The primary is killed with its machine', fact, problem)
}

/** A worker is killed during jobs, which the other worker takes over. */
export async function killWorker(environment: ClusterEnvironment, users: User[]): Promise<Result> {
  const [killed, other] = environment.workers as [Daemon, Daemon]
  await other.stop()
  await Promise.all(users.map((user) => user.upload()))
  return withDatabase(environment, async (client) => {
    const listIds = async (text: string, ids: string[] | null): Promise<string[]> =>
      (await client.query({ text, values: [ids], rowMode: 'array' })).rows.flat()
    const isActive = `SELECT id FROM pgboss.job WHERE state = 'active' AND name IN ('read-text', 'draw-picture')
       AND ($1::uuid[] IS NULL OR id = ANY($1))`
    // Most jobs end before the database has answered, so the worker is halted while it is asked. What the worker had sent
    // before can still arrive, hence the second question.
    const jobs = await waitUntil('A worker is running a job', async () => {
      killed.signal('SIGSTOP')
      const ids = await listIds(isActive, await listIds(isActive, null))
      if (ids.length > 0) return ids
      killed.signal('SIGCONT')
    })
    await killed.stop('SIGKILL')
    await other.start()
    const isOpen = `SELECT id FROM pgboss.job WHERE id = ANY($1) AND state <> 'completed'`
    await waitUntil('The jobs are completed', async () => (await listIds(isOpen, jobs)).length === 0)
    const retried = await listIds('SELECT id FROM pgboss.job WHERE id = ANY($1) AND retry_count = 1', jobs)
    await killed.start()
    const problem = retried.length !== jobs.length && `Only ${retried.length} of the jobs were retried once`
    return toResult('A worker is killed during jobs', `The other worker took over ${jobs.length} jobs.`, problem)
  })
}

/** Every process is replaced, one after the other. No request may fail. */
export async function replaceAll(environment: ClusterEnvironment): Promise<Result> {
  const { webs, workers } = environment
  const ports = webs.map(({ port }) => port)
  await waitUntilBusy(environment)
  const begunMs = performance.now()
  for (const web of webs) {
    await environment.route(ports.filter((port) => port !== web.port))
    await web.stop()
    await web.start()
    await environment.route(ports)
    await waitUntilBusy(environment)
  }
  for (const worker of workers) {
    await worker.stop()
    await worker.start()
  }
  await waitUntilBusy(environment)
  return expectNoFailure('Every process is replaced', listSince(environment, begunMs))
}

/** Of seven kills. */
const victims = ['web', 'web', 'web', 'web', 'web', 'worker', 'postgres'] as const

/** Kills something at random moments. @param check runs after each kill. */
export async function kill(
  environment: SingleEnvironment,
  durationMs: number,
  check: () => Promise<void>,
): Promise<Result> {
  const { webs, workers, requests } = environment
  const counts = { web: 0, worker: 0, postgres: 0, duringStart: 0 }
  for (const end = performance.now() + durationMs; performance.now() < end; ) {
    await setTimeout(1_600 * Math.random())
    const victim = pick(victims)
    const candidates = victim === 'worker' ? workers : webs
    // Most kills wait for a server that works, however slow the machine is. The others can hit any moment of a start.
    const isServing = Math.random() < 0.75
    if (isServing) {
      await waitUntil('A server is ready', async () => candidates.some((one) => one.isReady))
      const count = requests.length + 30 * Math.random()
      await waitUntil('Users are answered', async () => requests.length >= count)
    }
    if (victim === 'postgres') {
      // Before it is killed, PostgreSQL does not answer for some time.
      environment.signalPostgres('SIGSTOP')
      await setTimeout(5_000 * Math.random())
      environment.signalPostgres('SIGKILL')
    } else {
      const ready = candidates.filter((one) => one.isReady)
      const server = pick(isServing && ready.length > 0 ? ready : candidates)
      if (!server.isReady) counts.duringStart++
      await server.stop('SIGKILL')
      server.start().catch((error: Error) => environment.problems.add(error.message))
    }
    counts[victim]++
    await check()
  }
  return toResult('Processes are killed at random moments', JSON.stringify(counts))
}
