import { writeFile } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import type { Attempt } from './caller.ts'
import { compareAfterSweep } from './chaos/compare.ts'
import { startCrowd } from './chaos/crowd.ts'
import { faults } from './chaos/faults.ts'
import { kill, openKills } from './chaos/kills.ts'
import { pageThrough } from './chaos/paging.ts'
import { rateAgainstModel } from './chaos/ratings.ts'
import { type Killed, writeReport } from './chaos/report.ts'
import { refreshInTabs } from './chaos/rotations.ts'
import { openTally, type Seen } from './chaos/seen.ts'
import { openStage, type Stage } from './chaos/stage.ts'
import { installPackages } from './debian/install.ts'

/**
 * `npm run chaos -- --minutes 30`: servers, worker and PostgreSQL are killed at random moments while students do everything there is
 * to do; what was acknowledged is compared after each. `--ratings`, `--rotations` and `--notes` say how much of the other scenes is
 * played, `--faults` how many of what else may happen. 0 leaves any of them out. `--report FILE` writes the report there.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    ratings: { type: 'string', default: '100000' },
    rotations: { type: 'string', default: '10000' },
    notes: { type: 'string', default: '10000' },
    faults: { type: 'string', default: '6' },
    report: { type: 'string' },
  },
})
const [minutes = 0, ratings = 0, rotations = 0, notes = 0, faultCount = 0] = [
  values.minutes,
  values.ratings,
  values.rotations,
  values.notes,
  values.faults,
].map(Number)
if (![minutes, ratings, rotations, notes, faultCount].every((one) => one >= 0)) {
  process.stderr.write(
    'npm run chaos -- --minutes 30 [--ratings 100000] [--rotations 10000] [--notes 10000] [--faults 6] [--report FILE]\n',
  )
  process.exit(2)
}
const crowdSize = 6
const say = (text: string) => void process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`)
let stage: Stage | null = null

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void (stage?.end() ?? Promise.resolve()).finally(() => process.exit(1)))
}

const rows: Seen[] = []
function add(seen: Seen): void {
  rows.push(seen)
  for (const line of [`${seen.faults.length ? '✗' : '✓'} ${seen.what}`, ...seen.facts, ...seen.faults]) say(line)
}

const notPlayed = (error: Error): Seen => ({ what: 'Something else', facts: [], faults: [`${error.stack}`] })

/** Kills, with everything else that may happen in between. */
async function playKills(at: Stage): Promise<Killed> {
  const [tally, kills] = [openTally(), openKills()]
  const crowd = await startCrowd(at, crowdSize)
  const wanted = faults.slice(0, faultCount)
  const segmentMs = (minutes * 60_000) / (wanted.length + 1)
  for (const fault of [null, ...wanted]) {
    if (fault) add(await fault(at, crowd).catch(notPlayed))
    await kill(at, tally, kills, segmentMs)
    const { lost, half, orphans } = tally
    say(`${JSON.stringify(kills)} lost ${lost.length}, half ${half.length}, orphans ${orphans.length}`)
    for (const line of [...lost, ...half, ...orphans, ...at.faults].slice(0, 20)) say(line)
  }
  await crowd.stop()
  for (const student of crowd.students) await student.logIn()
  await compareAfterSweep(at, tally)
  const { attempts, book, mail } = at
  const count = (wanted: Attempt['outcome']) => attempts.filter(({ outcome }) => outcome === wanted).length
  const requests = {
    ...{ acknowledged: count('acknowledged'), refused: count('refused') },
    ...{ broken: count('broken'), wrong: count('wrong') },
  }
  const outOfGrace = crowd.students.reduce((sum, student) => sum + student.outOfGrace, 0)
  return {
    minutes,
    tally,
    kills,
    book,
    requests,
    outOfGrace,
    students: crowdSize,
    mails: mail.count(),
    ...(await at.describe()),
  }
}

async function play(at: Stage): Promise<boolean> {
  if (ratings > 0) add(await rateAgainstModel(at, ratings))
  if (rotations > 0) add(await refreshInTabs(at, rotations))
  const killed = minutes > 0 ? await playKills(at) : null
  if (notes > 0) add(await pageThrough(at, notes))
  const wrong = at.attempts.filter(({ outcome }) => outcome === 'wrong')
  const answers = new Set(wrong.map(({ what, status }) => `Answered ${status}: ${what}.`))
  add({ what: 'Answers and sessions', facts: [], faults: [...answers, ...new Set(at.faults)] })
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}, a load of ${loadavg()[1]?.toFixed(1)}`
  const text = writeReport(killed, rows, machine)
  if (values.report) await writeFile(values.report, text)
  else process.stdout.write(text)
  const { lost = [], half = [], orphans = [] } = killed?.tally ?? {}
  return lost.length + half.length + orphans.length === 0 && rows.every((row) => row.faults.length === 0)
}

try {
  if (process.platform === 'linux') installPackages({ faketime: 'faketime' })
  stage = await openStage()
  process.exitCode = (await play(stage)) ? 0 : 1
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
  process.exitCode = 1
} finally {
  if (stage && process.exitCode) say(`The logs are in ${await stage.keepLogs()}`)
  await stage?.end()
  // Where something failed the crowd would go on for ever.
  process.exit()
}
