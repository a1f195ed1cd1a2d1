import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Attempt } from '../caller.ts'
import { eventually, type Verified, verify } from './compare.ts'
import type { Crowd } from './crowd.ts'
import type { Seen } from './seen.ts'
import type { Stage } from './stage.ts'
import { ChaosStudent, rest } from './student.ts'

/** What a student, a server or a disk bears besides being killed. The crowd goes on meanwhile. */
export type Fault = (stage: Stage, crowd: Crowd) => Promise<Seen>

const awayMs = 10_000
/** Requests that have to be acknowledged before something counts as gone on. */
const enough = 40
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
const since = ({ attempts }: Stage, fromMs: number) => attempts.filter(({ begunMs }) => begunMs >= fromMs)
const isUpload = ({ what }: Attempt) => what === 'POST /api/notes'
const acknowledged = (stage: Stage, fromMs: number) =>
  since(stage, fromMs).filter(({ outcome }) => outcome === 'acknowledged')
const refused = (stage: Stage, fromMs: number) => since(stage, fromMs).filter(({ outcome }) => outcome === 'refused')

const untilBusy = (stage: Stage, fromMs = performance.now()) =>
  eventually('The crowd is answered', async () => acknowledged(stage, fromMs).length >= enough)

async function untilReady({ webs, worker }: Stage): Promise<void> {
  await eventually('All are ready', async () => {
    const answers = await Promise.all([...webs, worker].map(({ url }) => fetch(`${url}/readyz`)))
    return answers.every(({ ok }) => ok)
  })
}

async function losesDatabase(stage: Stage): Promise<Seen> {
  const { postgres } = stage
  await untilBusy(stage)
  const deadMs = performance.now()
  while (performance.now() - deadMs < awayMs) {
    postgres.signal('SIGKILL')
    await rest(50)
  }
  const backMs = performance.now()
  await untilReady(stage)
  await untilBusy(stage)
  const whileDead = refused(stage, deadMs).length
  const silentMs = performance.now()
  postgres.signal('SIGSTOP')
  await rest(awayMs)
  postgres.signal('SIGCONT')
  const heardMs = performance.now()
  await untilReady(stage)
  await untilBusy(stage, heardMs)
  return {
    what: 'The database is away',
    facts: [
      `Refused as soon as it came up for ${seconds(awayMs)}: ${whileDead} requests answered 503; the first change went through ${seconds(firstAfter(stage, backMs))} after that.`,
      `Silent for ${seconds(awayMs)}: ${refused(stage, silentMs).length} requests answered 503, the others when it spoke again.`,
    ],
    faults: [],
  }
}

const firstAfter = (stage: Stage, fromMs: number) =>
  Math.min(...acknowledged(stage, fromMs).flatMap(({ what, endedMs }) => (what.startsWith('GET') ? [] : [endedMs]))) -
  fromMs

async function losesMail(stage: Stage): Promise<Seen> {
  const { mail } = stage
  await mail.setAway(true)
  const newcomers: ChaosStudent[] = []
  /** Until it is acknowledged: a server that is busy may refuse. */
  async function register(): Promise<void> {
    const newcomer = new ChaosStudent(`patient.${randomUUID()}@uni.example`, stage)
    newcomers.push(newcomer)
    if (!(await newcomer.join())) return register()
  }
  const joining = Promise.all([register(), register(), register()])
  await rest(awayMs)
  const early = newcomers.filter(({ email }) => stage.mailedToken(email) !== null).length
  await mail.setAway(false)
  await joining
  return {
    what: 'The mail server is away',
    facts: [
      `Nobody who registered in these ${seconds(awayMs)} was refused for it; three had their mail once it was back, and are verified.`,
    ],
    faults: early === 0 ? [] : ['A mail came while nobody took any'],
  }
}

/** Uploads are refused and notes read while nothing can be written; then all goes on. */
async function cannotWrite(stage: Stage, what: string, begin: () => unknown, heal: () => unknown): Promise<Seen> {
  await untilBusy(stage)
  const atMs = performance.now()
  await begin()
  const begunMs = performance.now()
  try {
    await eventually('Uploads are refused', async () => refused(stage, begunMs).some(isUpload))
    await eventually('Servers say so', async () => {
      const answers = await Promise.all(stage.webs.map(({ url }) => fetch(`${url}/readyz`)))
      return answers.every(({ status }) => status === 503)
    })
    await eventually('Notes are read', async () =>
      acknowledged(stage, begunMs).some(({ what }) => what.endsWith('/view')),
    )
  } finally {
    await heal()
  }
  const healedMs = performance.now()
  await untilReady(stage)
  await eventually('Uploads are taken', async () => acknowledged(stage, healedMs).some(isUpload))
  const uploads = refused(stage, atMs).filter(isUpload).length
  return {
    what,
    facts: [
      `${uploads} uploads were answered 503, and ${refused(stage, atMs).length - uploads} other requests; /readyz said so; notes were read meanwhile. Healed, it went on.`,
    ],
    faults: [],
  }
}

async function losesFiles(stage: Stage): Promise<Seen> {
  const { databaseUrl, dataDir } = stage
  // Nobody else knows of these notes: what is answered of them meanwhile is no fault of Lectern.
  const ids = new Map<string, string>()
  const keeper = new ChaosStudent(`keeper.${Date.now()}@uni.example`, { ...stage, ids })
  await keeper.join()
  const titles: string[] = []
  while (titles.length < 3) titles.push(...(await keeper.upload({ isAnonymous: false, count: 1 })))
  const [missing = '', rotten = '', whole = ''] = titles
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const pathOf = async (title: string) => {
    const text = 'SELECT file_key AS key FROM notes JOIN documents d ON d.id = document_id WHERE title = $1'
    const key: string = (await client.query(text, [title])).rows[0]?.key
    return { key, path: join(dataDir, 'files', key.slice(0, 2), key) }
  }
  const [gone, bad] = [await pathOf(missing), await pathOf(rotten)]
  await client.end()
  const bytes = await readFile(bad.path)
  const away = join(dataDir, gone.key)
  await rename(gone.path, away)
  await writeFile(bad.path, Buffer.concat([bytes.subarray(0, 100), Buffer.from('rotten'), bytes.subarray(106)]))
  const asked = async (title: string) =>
    (await keeper.ask('GET', `/api/notes/${ids.get(title)}/view`, undefined, [200, 500]))?.status ?? 0
  const [ofMissing, ofWhole] = [await asked(missing), await asked(whole)]
  let found: Verified
  try {
    found = await verify(stage)
  } finally {
    await rename(away, gone.path)
    await writeFile(bad.path, bytes)
  }
  const healed = await verify(stage)
  const names = [gone.key, bad.key].filter((key) => found.text.includes(key)).length
  const hasNoOrphan = !found.text.includes('belong to nothing')
  const isExact =
    hasNoOrphan && /Missing files: 1\n/.test(found.text) && /Damaged files: 1\n/.test(found.text) && names === 2
  return {
    what: 'A file is missing, another one rotten',
    facts: [
      `The missing one was answered ${ofMissing}, another of the same student ${ofWhole}; \`lectern admin verify\` named these two, and none when they were back.`,
    ],
    faults: [
      ...(isExact && healed.isWhole ? [] : [`verify said: ${found.text} and then: ${healed.text}`]),
      ...(ofMissing === 500 && ofWhole === 200 ? [] : ['Another file was not read']),
    ],
  }
}

async function losesTime(stage: Stage, crowd: Crowd): Promise<Seen> {
  const [, web] = stage.webs
  const outOfGrace = () => crowd.students.reduce((sum, student) => sum + student.outOfGrace, 0)
  const before = { faults: stage.faults.length, outOfGrace: outOfGrace() }
  // Its own command would stand between a server and its signals.
  const LD_PRELOAD = execFileSync('faketime', ['-f', '+0', 'printenv', 'LD_PRELOAD'], { encoding: 'utf8' }).trim()
  const begunMs = performance.now()
  for (const offset of ['+5m', '-5m']) {
    await web?.end()
    await web?.start({ LD_PRELOAD, FAKETIME: offset })
    const startedMs = performance.now()
    await eventually('Sessions are refreshed', async () => {
      const refreshes = acknowledged(stage, startedMs).filter(({ what }) => what.endsWith('/auth/refresh'))
      return refreshes.length >= 2 * crowd.students.length
    })
  }
  await web?.end()
  await web?.start()
  await untilBusy(stage)
  const loggedOut = outOfGrace() - before.outOfGrace
  return {
    what: 'The clock of one of two servers is five minutes fast, then slow',
    facts: [`${acknowledged(stage, begunMs).length} requests were acknowledged by both; nobody was logged out.`],
    faults: stage.faults.length > before.faults || loggedOut > 0 ? ['Somebody was logged out'] : [],
  }
}

/** In the order they are played. */
export const faults: Fault[] = [
  losesDatabase,
  losesMail,
  (stage) => {
    const { disk } = stage
    if (!disk) return skipped('The storage is full')
    return cannotWrite(stage, 'The storage is full', disk.fill, disk.heal)
  },
  (stage) => {
    const { disk } = stage
    if (!disk) return skipped('The storage is read-only')
    return cannotWrite(stage, 'The storage is read-only', () => disk.setReadOnly(true), disk.heal)
  },
  losesFiles,
  losesTime,
]

const skipped = async (what: string): Promise<Seen> => ({
  what,
  facts: ['**Not played:** no file system could be mounted here, which takes root.'],
  faults: [],
})
