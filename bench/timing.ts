import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { Agent, request as httpRequest } from 'node:http'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { hash } from '@node-rs/argon2'
import { pino } from 'pino'
import { insertRegistration } from '../server/accounts/accounts.queries.ts'
import { migrate } from '../server/db/migrate.ts'
import { openPool } from '../server/db/pool.ts'
import { startEmbeddedDatabase } from '../server/postgres/embedded.ts'
import { createUser } from '../server/users/users.ts'
import { createRandom } from '../tools/demo/random.ts'
import { startChild, stopChildren } from './child-server.ts'
import { median } from './median.ts'
import { areaUnderCurve } from './timing/area-under-curve.ts'

/**
 * `npm run bench:timing`: whether the time of an answer tells which addresses have accounts. Login, register and forgot
 * are asked in turn, one request at a time, of addresses that have one and of those that have none, each address once.
 * Fails where an area under the curve is not between 0.45 and 0.55; `--samples N` of each, `--only login`.
 */
const { values } = parseArgs({ options: { samples: { type: 'string', default: '2000' }, only: { type: 'string' } } })
const sampleCount = Number(values.samples)
if (!Number.isInteger(sampleCount) || sampleCount < 10) throw new Error('--samples wants a whole number of at least 10')
const warmUpCount = Math.min(50, sampleCount)
const [least, most] = [0.45, 0.55]

const log = pino({ level: 'warn' }, process.stderr)
const say = (text: string) => process.stderr.write(`${text}\n`)
/** Of the accounts, and what is typed: never the right one. */
const [password, typed] = ['Marigold desk 42!', 'Not the desk 42!']
const random = createRandom('timing')
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

const kinds = ['account', 'unverified', 'none'] as const
type Kind = (typeof kinds)[number]
type Call = { name: string; path: string; bodyOf: (email: string) => object }
const calls: Call[] = [
  { name: 'login', path: '/api/users/login', bodyOf: (email) => ({ email, password: typed }) },
  {
    name: 'register',
    path: '/api/users/',
    bodyOf: (email) => ({ name: 'Ada Okafor', email, password: typed, confirmPassword: typed }),
  },
  { name: 'forgot', path: '/api/users/forgot-password', bodyOf: (email) => ({ email }) },
]

/** All of the same length, so that nothing but the account differs. */
const emailOf = (call: string, kind: Kind, index: number) =>
  `${call}.${kind.padEnd(10, 'x')}.${String(index).padStart(6, '0')}@timing.example`

const work = await mkdtemp(join(tmpdir(), 'lectern-bench-'))
// PostgreSQL's own account has to pass where we are root.
await chmod(work, 0o711)
const database = await startEmbeddedDatabase({ dataDir: join(work, 'database'), password: 'bench', log })

async function cleanUp(): Promise<void> {
  agent.destroy()
  await stopChildren()
  await database.stop()
  await rm(work, { recursive: true, force: true })
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void cleanUp().finally(() => process.exit(1)))
}

async function fill(): Promise<void> {
  await migrate(database.url, log)
  const { db } = openPool(database.url, 4, log)
  // OWASP's parameters, as server/passwords/hasher.ts has them.
  const passwordHash = await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
  await db.transaction().execute(async (tx) => {
    for (const { name: call } of calls) {
      for (let index = 0; index < warmUpCount + sampleCount; index++) {
        const account = { name: 'Ada Okafor', passwordHash, invitationId: null }
        await createUser(tx, { ...account, email: emailOf(call, 'account', index) })
        await insertRegistration(tx, { ...account, email: emailOf(call, 'unverified', index) })
      }
    }
  })
  await db.destroy()
}

/** @returns milliseconds until the last byte of the answer, and what it says. */
function ask(origin: string, path: string, body: object): Promise<{ ms: number; said: string }> {
  const payload = JSON.stringify(body)
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }
  return new Promise((resolve, reject) => {
    const begunAt = performance.now()
    const request = httpRequest(`${origin}${path}`, { method: 'POST', agent, headers }, (response) => {
      let said = `${response.statusCode} `
      response.on('data', (chunk) => {
        said += chunk
      })
      response.once('end', () => resolve({ ms: performance.now() - begunAt, said }))
    })
    request.once('error', reject)
    request.end(payload)
  })
}

/** Each kind once in every round, in an order of chance: what one request leaves to do meets the next, whatever it is. */
async function measure(origin: string, { name, path, bodyOf }: Call): Promise<Record<Kind, number[]>> {
  const times: Record<Kind, number[]> = { account: [], unverified: [], none: [] }
  const answers = new Set<string>()
  for (let index = 0; index < warmUpCount + sampleCount; index++) {
    for (const kind of random.shuffle(kinds)) {
      const { ms, said } = await ask(origin, path, bodyOf(emailOf(name, kind, index)))
      answers.add(said)
      if (index >= warmUpCount) times[kind].push(ms)
    }
  }
  if (answers.size !== 1) throw new Error(`The answers differ: ${[...answers].join(', ')}`)
  return times
}

try {
  say('Making accounts …')
  await fill()
  const env = { RATE_LIMIT: 'off', LOG_LEVEL: 'warn', SECRET: 'a secret of the benchmarks, long enough' }
  const server = await startChild(
    'server/main.ts',
    { ...env, DATABASE_URL: database.url, DATA_DIR: join(work, 'data') },
    { readyPath: '/readyz', logFile: join(work, 'server.log') },
  )
  const [startedAt, loadAtStart] = [new Date(), loadavg()[0] ?? 0]
  const rows: string[] = []
  for (const call of calls.filter(({ name }) => name.includes(values.only ?? ''))) {
    say(`${call.name} …`)
    const times = await measure(server.origin, call)
    for (const kind of ['account', 'unverified'] as const) {
      const area = areaUnderCurve(times[kind], times.none)
      const isTold = area < least || area > most
      if (isTold) process.exitCode = 1
      const ms = (one: Kind) => `${median(times[one]).toFixed(2)} ms`
      const against = kind === 'account' ? 'an account' : 'a registration that waits'
      rows.push(
        `| ${call.name} | ${against} | ${ms(kind)} | ${ms('none')} | ${area.toFixed(3)}${isTold ? ' **told**' : ''} |`,
      )
    }
  }
  const machine = `${availableParallelism()} cores, load average ${loadAtStart.toFixed(1)} before and ${(loadavg()[0] ?? 0).toFixed(1)} after`
  process.stdout.write(
    [
      `${startedAt.toISOString().slice(0, 10)}, Node ${process.version}, ${machine}; ${sampleCount} samples of each, interleaved.`,
      '',
      '| Call | The address has | Median | Median of one that nobody has | Area under the curve |',
      '| --- | --- | ---: | ---: | ---: |',
      ...rows,
      '',
    ].join('\n'),
  )
} finally {
  await cleanUp()
}
