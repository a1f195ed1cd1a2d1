import { setTimeout } from 'node:timers/promises'
import { type Daemon, waitUntil } from '../services.ts'
import { type ClusterEnvironment, type Environment, type SingleEnvironment, withDatabase } from './environment.ts'
import { pick, type SentRequest } from './ledger.ts'
import { User } from './user.ts'
import type { Users } from './users.ts'

/** What a scenario saw, and what it should not have seen. */
export type Result = { name: string; facts: string[]; problems: string[] }

const toResult = (name: string, fact: string, problems: Iterable<string | false> = []): Result => {
  return { name, facts: [fact], problems: [...problems].filter((problem) => problem !== false) }
}

/** Requests that have to be acknowledged before a scenario goes on. */
const enough = 60
const maxWriteOutageMs = 15_000
const isUnanswered = ({ outcome }: SentRequest) => outcome === 'broken' || outcome === 'refused'
const isUpload = ({ what }: SentRequest) => what === 'POST /api/notes'
const isWrite = ({ what }: SentRequest) => !what.startsWith('GET')
/** Making a note anonymous writes a file, too. */
const writesFile = (request: SentRequest) => isUpload(request) || request.what.startsWith('PATCH /api/users/me/notes')
const inSeconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
const toList = (requests: SentRequest[]) =>
  [...new Set(requests.map(({ what, status }) => `${what}: ${status || 'no answer'}`))].join(', ')

const listSince = ({ requests }: Environment, fromMs: number) => requests.filter(({ begunMs }) => begunMs >= fromMs)
const listAcknowledged = (environment: Environment, fromMs: number) =>
  listSince(environment, fromMs).filter(({ outcome }) => outcome === 'acknowledged')

const waitUntilBusy = (environment: Environment, fromMs = performance.now()) =>
  waitUntil('Users are answered', async () => listAcknowledged(environment, fromMs).length >= enough)

const areReady = (servers: Daemon[], isReady: boolean) => async () => {
  const answers = await Promise.all(servers.map(({ url }) => fetch(`${url}/readyz`)))
  return answers.every(({ ok }) => ok === isReady)
}

async function registerUser(name: string, environment: Environment): Promise<User> {
  const user = new User(`${name}.${Date.now()}`, environment)
  if (!(await user.register())) throw new Error(`${user.email} could not register`)
  return user
}

/** Many users rate the same notes at once on both servers; every answer and the final counts are compared with a model. */
export async function rateAgainstModel(environment: Environment, total: number): Promise<Result> {
  const [raterCount, noteCount] = [20, 25]
  const problems = new Set<string>()
  const author = await registerUser('author', environment)
  const titles: string[] = []
  while (titles.length < noteCount) titles.push(...(await author.upload({ isAnonymous: false, count: 5 })))
  const ids = titles.map((title) => environment.noteIds.get(title) ?? '')
  const isSame = (one: string[], other: string[]) => one.toSorted().join() === other.toSorted().join()

  async function rate(index: number): Promise<Map<string, string>> {
    const user = await registerUser(`rater${index}`, environment)
    const model = new Map<string, string>()
    const list = (rating: string) => [...model].filter(([, one]) => one === rating).map(([id]) => id)
    for (let n = 0; n < total / raterCount; n++) {
      const [id, field, sign] = [pick(ids), pick(['likes', 'dislikes']), pick(['+', '-'])]
      const send = () => user.request('PATCH', `/api/notes/${id}/rating`, { [field]: sign }, [200])
      let answer = await send()
      // Repeating a rating changes nothing, so one without a certain outcome is sent again.
      while (!answer || answer.status === 503) answer = await send()
      if (answer.status !== 200) {
        problems.add(`A rating was answered ${answer.status}`)
        continue
      }
      // A rating replaces the other one, and a user can only remove a rating of their own.
      if (sign === '+') model.set(id, field)
      else if (model.get(id) === field) model.delete(id)
      const { user: me } = answer.body as { user: Record<'likedNotes' | 'dislikedNotes', string[]> }
      if (!isSame(list('likes'), me.likedNotes) || !isSame(list('dislikes'), me.dislikedNotes)) {
        problems.add('The answer to a rating lists other ratings than those of the user')
      }
    }
    return model
  }
  const models = await Promise.all(Array.from({ length: raterCount }, (_, index) => rate(index)))
  const { rows } = await withDatabase(environment, (client) =>
    client.query<{ id: string; likes: number; dislikes: number; rows: number }>(
      `SELECT id, likes, dislikes, (SELECT count(*)::int FROM ratings WHERE note_id = notes.id) AS rows
         FROM notes WHERE id = ANY($1)`,
      [ids],
    ),
  )
  for (const { id, likes, dislikes, rows: count } of rows) {
    const [liked, disliked] = ['likes', 'dislikes'].map((one) => models.filter((model) => model.get(id) === one).length)
    const isRight = likes === liked && dislikes === disliked && count === likes + dislikes
    if (!isRight) problems.add(`${id} has ${likes} and ${dislikes} instead of ${liked} and ${disliked}`)
  }
  return toResult(
    'Ratings at the same time',
    `${total} ratings of ${noteCount} notes by ${raterCount} users.`,
    problems,
  )
}

/** Tabs of a browser share its cookies and refresh at the same time on both servers. No session may end. */
export async function rotateInTabs(environment: Environment, rotations: number): Promise<Result> {
  const [browsers, tabs] = [10, 3]
  const problems = new Set<string>()
  async function browse(index: number): Promise<number> {
    const user = await registerUser(`tabs${index}`, environment)
    const tokens = new Set<string>()
    async function refresh(): Promise<void> {
      while (tokens.size < rotations / browsers && problems.size === 0) {
        const answer = await user.send('POST', '/api/users/auth/refresh')
        if (answer?.status === 200) user.keepTokens(answer)
        else problems.add(`A refresh was answered ${answer?.status}`)
        tokens.add(user.refreshCookie)
      }
    }
    await Promise.all(Array.from({ length: tabs }, refresh))
    const me = await user.send('GET', '/api/users/me')
    if (me?.status !== 200) problems.add(`A user was logged out in the end: ${me?.status}`)
    return tokens.size
  }
  const counts = await Promise.all(Array.from({ length: browsers }, (_, index) => browse(index)))
  const sum = counts.reduce((one, other) => one + other, 0)
  return toResult('Refreshes in several tabs', `${sum} rotations in ${browsers} browsers with ${tabs} tabs.`, problems)
}

/** Uploads are refused and notes are read while the storage is full. */
export async function fillStorage(environment: ClusterEnvironment): Promise<Result> {
  const { gateway, webs } = environment
  await waitUntilBusy(environment)
  const filledMs = performance.now()
  await gateway.setFull(true)
  const listRefused = () => listSince(environment, filledMs).filter(isUnanswered)
  try {
    await waitUntil('Uploads are refused', async () => listRefused().some(isUpload))
    await waitUntil('Servers say that they are not ready', areReady(webs, false))
    const fullMs = performance.now()
    const isView = ({ what }: SentRequest) => what.endsWith('/view')
    await waitUntil('Notes are read', async () => listAcknowledged(environment, fullMs).filter(isView).length >= 5)
  } finally {
    await gateway.setFull(false)
  }
  await waitUntil('All servers are ready again', areReady(webs, true))
  const healedMs = performance.now()
  await waitUntil('Uploads are accepted', async () => listAcknowledged(environment, healedMs).some(isUpload))
  const others = listRefused().filter((request) => !writesFile(request))
  const fact = `${listRefused().filter(isUpload).length} uploads were refused, while notes were read.`
  return toResult('The storage is full', fact, [
    others.length > 0 && `More than writes of files were refused: ${toList(others)}`,
  ])
}

export async function readFromReplica(environment: ClusterEnvironment): Promise<Result> {
  const count = async () => Promise.all([environment.countListReads('replica'), environment.countListReads('primary')])
  const [replica, primary] = await count()
  await waitUntil(
    'Lists are read from the replica',
    async () => (await environment.countListReads('replica')) > replica,
  )
  await waitUntilBusy(environment)
  const [replicaNow, primaryNow] = await count()
  const fact = `${replicaNow - replica} lists were read from the replica and ${primaryNow - primary} from the primary.`
  return toResult('Lists are read from the replica', fact)
}

function expectNoFailure(name: string, requests: SentRequest[]): Result {
  const failed = requests.filter(isUnanswered)
  const problem = failed.length > 0 && `Requests failed: ${toList(failed)}`
  return toResult(name, `${failed.length} of ${requests.length} requests failed.`, [problem])
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
export async function killPrimary(environment: ClusterEnvironment, { users }: Users): Promise<Result> {
  const { database } = environment
  await database.waitUntilSynchronous()
  const primary = await database.findPrimary()
  await waitUntilBusy(environment)
  const killedMs = performance.now()
  await database.killMachine(primary)
  const listWrites = () => listAcknowledged(environment, killedMs).filter(isWrite)
  await waitUntil('Writes are acknowledged again', async () => listWrites().length >= 2 * users.length)
  const outageMs = Math.min(...listWrites().map(({ endedMs }) => endedMs)) - killedMs
  const refused = listSince(environment, killedMs).filter(isUnanswered).length
  const next = await database.findPrimary()
  await database.startMachine(primary)
  await database.waitUntilSynchronous()
  await waitUntilBusy(environment)
  const text = `The first write was acknowledged after ${inSeconds(outageMs)}`
  const fact = `${next} took over from ${primary}. ${text}; ${refused} requests were refused before.`
  const problem = outageMs > maxWriteOutageMs && `${text}, which is too late`
  return toResult('The primary is killed with its machine', fact, [problem])
}

/** A worker is killed during jobs, which the other worker takes over. */
export async function killWorker(environment: ClusterEnvironment, { users }: Users): Promise<Result> {
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
    return toResult('A worker is killed during jobs', `The other worker took over ${jobs.length} jobs.`, [problem])
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
      server.start().catch((error: Error) => environment.problems.push(error.message))
    }
    counts[victim]++
    await check()
  }
  return toResult('Processes are killed at random moments', JSON.stringify(counts))
}
