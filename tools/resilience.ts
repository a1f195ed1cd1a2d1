import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { compare, compareAtEnd, openFindings, verify } from './resilience/compare.ts'
import { type Environment, startClusterEnvironment, startSingleEnvironment } from './resilience/environment.ts'
import * as scenarios from './resilience/scenarios.ts'
import { startUsers, type Users } from './resilience/users.ts'
import { clusterPrograms, type Daemons, installPackages, openDaemons } from './services.ts'

/**
 * `npm run resilience -- kills|cluster`: simulated users work while servers, workers, PostgreSQL and the storage are killed or
 * fail. A ledger of what was acknowledged is compared with the database and the files. `kills` kills the processes of a single
 * machine at random moments for `--minutes`; `cluster` runs Lectern on replicated services from Debian's packages. The report
 * and the logs are in test-results/.
 */
const option = (value: string) => ({ type: 'string' as const, default: value })
const options = { minutes: option('30'), ratings: option('100000'), rotations: option('10000'), users: option('6') }
const { values, positionals } = parseArgs({ allowPositionals: true, options })
const [minutes, ratings, rotations, userCount] = [values.minutes, values.ratings, values.rotations, values.users].map(
  Number,
) as [number, number, number, number]
const [mode = ''] = positionals
if (!['kills', 'cluster'].includes(mode) || ![minutes, ratings, rotations, userCount].every((value) => value >= 0)) {
  process.stderr.write(
    'npm run resilience -- kills|cluster [--minutes 30] [--ratings 100000] [--rotations 10000] [--users 6]\n',
  )
  process.exit(2)
}

/** Kills between two comparisons of every file with its hash. */
const verifyEvery = 50
const folder = fileURLToPath(new URL(`../test-results/resilience-${mode}/`, import.meta.url))
const results: scenarios.Result[] = []
const findings = openFindings()
const cleanup: (() => unknown)[] = []
const print = (text: string) => void process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`)

function add(result: scenarios.Result): void {
  results.push(result)
  const { name, facts, problems } = result
  for (const line of [`${problems.length > 0 ? '✗' : '✓'} ${name}`, ...facts, ...problems]) print(line)
}

async function runKills(daemons: Daemons): Promise<void> {
  const environment = await startSingleEnvironment(daemons, cleanup)
  const users = await startAll(environment, 120)
  let comparisons = 0
  const result = await scenarios.kill(environment, minutes * 60_000, async () => {
    await compare(environment, findings)
    if (++comparisons % verifyEvery === 0) await verify(environment, findings)
  })
  add(result)
  await end(environment, users)
}

async function runCluster(daemons: Daemons): Promise<void> {
  const environment = await startClusterEnvironment(daemons, cleanup)
  const users = await startAll(environment, 300)
  add(await scenarios.readFromReplica(environment))
  add(await scenarios.killServer(environment))
  add(await scenarios.killPrimary(environment, users))
  add(await scenarios.readFromReplica(environment))
  add(await scenarios.killWorker(environment, users))
  add(await scenarios.fillStorage(environment))
  add(await scenarios.replaceAll(environment))
  await end(environment, users)
}

async function startAll(environment: Environment, pauseMs: number): Promise<Users> {
  if (ratings > 0) add(await scenarios.rateAgainstModel(environment, ratings))
  if (rotations > 0) add(await scenarios.rotateInTabs(environment, rotations))
  return startUsers(environment, userCount, pauseMs)
}

/** Reads every note once more, and compares everything. */
async function end(environment: Environment, { users, stop }: Users): Promise<void> {
  await stop()
  for (const user of users) await user.logIn()
  const { ledger, requests, problems, noteIds } = environment
  for (const title of ledger.listTitles()) if (noteIds.has(title)) await users[0]?.view(title)
  await compareAtEnd(environment, findings)
  const outcomes = Object.entries(Object.groupBy(requests, ({ outcome }) => outcome))
  const counts = outcomes.map(([outcome, { length }]) => `${length} ${outcome}`).join(', ')
  const { acknowledged, unanswered } = ledger.counts
  const late = users.reduce((sum, { lateLogouts }) => sum + lateLogouts, 0)
  const wrong = requests.filter(({ outcome }) => outcome === 'wrong')
  const found = Object.entries(findings).flatMap(([kind, texts]) => texts.map((text) => `${kind}: ${text}`))
  add({
    name: 'The ledger, the database and the files',
    facts: [
      `${requests.length} requests: ${counts}. ${ledger.listTitles().length} notes exist.`,
      `${acknowledged} changes were acknowledged, ${unanswered} were not answered.`,
      `${late} sessions ended because no server answered a refresh within ten seconds.`,
    ],
    problems: [
      ...new Set([...found, ...problems, ...wrong.map(({ what, status }) => `${what} was answered ${status}`)]),
    ],
  })
}

async function stopAll(code: number): Promise<never> {
  for (const stop of cleanup.splice(0).toReversed()) await stop()
  // After an error the simulated users would continue.
  process.exit(code)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stopAll(1))

await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
try {
  if (mode === 'cluster') installPackages(clusterPrograms)
  const daemons = await openDaemons(mode, folder)
  cleanup.push(daemons.stop)
  await (mode === 'kills' ? runKills : runCluster)(daemons)
} catch (error) {
  add({ name: 'The run', facts: [], problems: [`${error instanceof Error ? error.stack : error}`] })
}
const rows = results.map(({ name, facts, problems }) => {
  return `| ${name} | ${problems.length === 0 ? 'passed' : '**failed**'} | ${[...facts, ...problems].join(' ')} |\n`
})
await writeFile(join(folder, 'report.md'), `| Scenario | Result | Details |\n|---|---|---|\n${rows.join('')}`)
print(`The report and the logs are in ${folder}`)
await stopAll(results.some(({ problems }) => problems.length > 0) ? 1 : 0)
