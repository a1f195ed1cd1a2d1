import { setTimeout } from 'node:timers/promises'
import { type Daemon, waitUntil } from '../../server/testing/services.ts'
import {
  type ClusterEnvironment,
  connectTo,
  type Environment,
  type SentRequest,
  type SingleEnvironment,
} from './environment.ts'
import { pick } from './ledger.ts'
import { User } from './users.ts'

/** Each scenario returns a summary, and adds unexpected events to the problems of its environment. */

/** The number of requests that must be answered before a scenario continues. */
const enough = 60
const maxWriteOutageMs = 15_000
const listSince = ({ requests }: Environment, fromMs: number) => requests.filter(({ begunMs }) => begunMs >= fromMs)
const listAnswered = (environment: Environment, fromMs: number) =>
  listSince(environment, fromMs).filter(({ isAnswered }) => isAnswered)

const waitUntilBusy = (environment: Environment, fromMs = performance.now()) =>
  waitUntil('Users are answered', async () => listAnswered(environment, fromMs).length >= enough)

export async function readFromReplica(environment: ClusterEnvironment): Promise<string> {
  const { countListReads } = environment
  const [replica, primary] = [await countListReads('replica'), await countListReads('primary')]
  await waitUntil('Lists are read from the replica', async () => (await countListReads('replica')) > replica)
  await waitUntilBusy(environment)
  const reads = `${(await countListReads('replica')) - replica} lists were read from the replica`
  return `${reads} and ${(await countListReads('primary')) - primary} from the primary.`
}

function expectNoFailure({ problems }: Environment, requests: SentRequest[]): string {
  const failed = requests.filter(({ isAnswered }) => !isAnswered)
  for (const { what, status } of failed) problems.add(`Failed: ${what}: ${status || 'no answer'}`)
  return `${failed.length} of ${requests.length} requests failed.`
}

/** Kills a server and expects that the other one answers later requests. */
export async function killServer(environment: ClusterEnvironment): Promise<string> {
  const [killed] = environment.webs as [Daemon]
  await waitUntilBusy(environment)
  await killed.stop('SIGKILL')
  const killedMs = performance.now()
  await waitUntilBusy(environment)
  const later = listSince(environment, killedMs)
  await killed.start()
  return `A web server was killed: ${expectNoFailure(environment, later)}`
}

/** Simulates a power loss on the machine of the primary. */
export async function killPrimary(environment: ClusterEnvironment, users: User[]): Promise<string> {
  const { database } = environment
  await database.waitUntilSynchronous()
  const primary = await database.findPrimary()
  await waitUntilBusy(environment)
  const killedMs = performance.now()
  await database.killMachine(primary)
  const listWrites = () => listAnswered(environment, killedMs).filter(({ what }) => !what.startsWith('GET'))
  await waitUntil('Writes are acknowledged again', async () => listWrites().length >= 2 * users.length)
  const outageMs = Math.min(...listWrites().map(({ endedMs }) => endedMs)) - killedMs
  const refused = listSince(environment, killedMs).filter(({ isAnswered }) => !isAnswered).length
  const next = await database.findPrimary()
  await database.startMachine(primary)
  await database.waitUntilSynchronous()
  await waitUntilBusy(environment)
  const text = `The first write was acknowledged after ${(outageMs / 1000).toFixed(1)} s`
  if (outageMs > maxWriteOutageMs) environment.problems.add(`${text}, which is too late`)
  return `${next.name} took over from ${primary.name}. ${text}; ${refused} requests were refused before.`
}

/** Kills a worker during jobs, which the other worker must take over. */
export async function killWorker(environment: ClusterEnvironment): Promise<string> {
  const [killed, other] = environment.workers as [Daemon, Daemon]
  // The other users may be logging out at this moment, which would refuse their uploads.
  const uploader = new User('uploader', environment)
  await uploader.register()
  await other.stop()
  await Promise.all(Array.from({ length: 6 }, () => uploader.upload()))
  await using client = await connectTo(environment)
  const listIds = async (text: string, ids: string[] | null): Promise<string[]> =>
    (await client.query({ text, values: [ids], rowMode: 'array' })).rows.flat()
  const isActive = `SELECT id FROM pgboss.job WHERE state = 'active' AND name IN ('read-text', 'create-thumbnail')
     AND ($1::uuid[] IS NULL OR id = ANY($1))`
  // Most jobs end before the database responds, so the worker is halted during the query. Its earlier statements can
  // still arrive, hence the second query.
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
  if (retried.length !== jobs.length) environment.problems.add(`Only ${retried.length} of the jobs were retried once`)
  return `A worker was killed: the other one took over ${jobs.length} jobs.`
}

/** Restarts every process, one after another. No request may fail. */
export async function replaceAll(environment: ClusterEnvironment): Promise<string> {
  await waitUntilBusy(environment)
  const begunMs = performance.now()
  for (const server of [...environment.webs, ...environment.workers]) {
    await server.stop()
    await server.start()
    // HAProxy detects the ready server meanwhile.
    await waitUntilBusy(environment)
  }
  return `Every process was replaced: ${expectNoFailure(environment, listSince(environment, begunMs))}`
}

/** The distribution of seven kills. */
const victims = ['web', 'web', 'web', 'web', 'web', 'worker', 'postgres'] as const

/**
 * Kills a process at random moments.
 * @param check runs after each kill.
 */
export async function kill(
  environment: SingleEnvironment,
  durationMs: number,
  check: () => Promise<void>,
): Promise<string> {
  const { webs, workers, requests } = environment
  const counts = { web: 0, worker: 0, postgres: 0, duringStart: 0 }
  for (const end = performance.now() + durationMs; performance.now() < end; ) {
    await setTimeout(1_600 * Math.random())
    const victim = pick(victims)
    const candidates = victim === 'worker' ? workers : webs
    // Most kills wait for a working server, however slow the machine is. The others can hit any moment of a start.
    const isServing = Math.random() < 0.75
    if (isServing) {
      await waitUntil('A server is ready', async () => candidates.some((one) => one.isReady))
      const count = requests.length + 30 * Math.random()
      await waitUntil('Users are answered', async () => requests.length >= count)
    }
    if (victim === 'postgres') {
      // PostgreSQL hangs for some time before it is killed.
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
  return `Processes were killed at random moments: ${JSON.stringify(counts)}`
}
