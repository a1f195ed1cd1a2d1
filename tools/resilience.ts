import { mkdir, rm, writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { compare, compareAtEnd, openFindings, verify } from './resilience/compare.ts'
import { type Environment, startClusterEnvironment, startSingleEnvironment } from './resilience/environment.ts'
import * as scenarios from './resilience/scenarios.ts'
import { startUsers, type Users } from './resilience/users.ts'
import { clusterPrograms, installPackages, openDaemons } from './services.ts'

/**
 * `npm run resilience -- kills|cluster`: simulated users work while servers, workers, PostgreSQL and storages are killed or
 * fail. A ledger of what was acknowledged is compared with the database and the files. `kills` kills processes of a single
 * machine at random moments for `--minutes`; `cluster` runs Lectern on replicated services from Debian's packages. The report
 * and the logs are in test-results/.
 */
const usage = 'npm run resilience -- kills|cluster [--minutes 30] [--ratings 100000] [--rotations 10000] [--users 6]\n'
const defaults = { minutes: '30', ratings: '100000', rotations: '10000', users: '6' }
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, { type: 'string', default: value }]),
  ),
})
const [minutes = 0, ratings = 0, rotations = 0, userCount = 0] = Object.keys(defaults).map((name) =>
  Number(values[name]),
)
const [mode = ''] = positionals
if (!['kills', 'cluster'].includes(mode) || ![minutes, ratings, rotations, userCount].every((value) => value >= 0)) {
  process.stderr.write(usage)
  process.exit(2)
}

const verifyEvery = 50
const folder = fileURLToPath(new URL(`../test-results/resilience-${mode}/`, import.meta.url))
const results: scenarios.Result[] = []
const findings = openFindings()
const print = (text: string) => void process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`)

async function add(result: Promise<scenarios.Result>): Promise<void> {
  const { name, facts, problems } = await result
  results.push({ name, facts, problems })
  for (const line of [`${problems.length > 0 ? '✗' : '✓'} ${name}`, ...facts, ...problems]) print(line)
}

/** What holds in both environments, before anything is killed. */
async function runFirst(environment: Environment): Promise<void> {
  await add(scenarios.searchPages(environment))
  if (ratings > 0) await add(scenarios.rateAgainstModel(environment, ratings))
  if (rotations > 0) await add(scenarios.rotateInTabs(environment, rotations))
}

async function compareInTheEnd(environment: Environment, { users, stop }: Users): Promise<void> {
  await stop()
  for (const user of users) await user.logIn()
  const { ledger, requests, problems } = environment
  const [reader] = users
  for (const title of ledger.listTitles()) if (environment.noteIds.has(title)) await reader?.view(title)
  await compareAtEnd(environment, findings)
  const count = (outcome: string) => requests.filter((request) => request.outcome === outcome).length
  const wrong = requests.filter(({ outcome }) => outcome === 'wrong')
  const late = users.reduce((sum, { lateLogouts }) => sum + lateLogouts, 0)
  const named = Object.entries(findings).flatMap(([kind, found]) => found.map((text) => `${kind}: ${text}`))
  await add(
    Promise.resolve({
      name: 'The ledger, the database and the files',
      facts: [
        `${requests.length} requests: ${count('acknowledged')} acknowledged, ${count('refused')} answered 503, ${count('broken')} without an answer.`,
        `${ledger.counts.acknowledged} changes were acknowledged, ${ledger.counts.unanswered} were not answered. ${ledger.listTitles().length} notes exist.`,
        `${late} sessions ended because no server answered a refresh within ten seconds.`,
      ],
      problems: [
        ...new Set([...named, ...problems, ...wrong.map(({ what, status }) => `${what} was answered ${status}`)]),
      ],
    }),
  )
}

async function runKills(cleanup: (() => unknown)[]): Promise<void> {
  if (process.platform === 'linux') installPackages(['faketime'])
  const daemons = await openDaemons('kills', folder)
  cleanup.push(daemons.stop)
  const environment = await startSingleEnvironment(daemons, cleanup)
  await runFirst(environment)
  const users = await startUsers(environment, userCount, 120)
  let comparisons = 0
  const check = async () => {
    await compare(environment, findings)
    if (++comparisons % verifyEvery === 0) await verify(environment, findings)
  }
  const others = [scenarios.loseDatabase, scenarios.fillStorage, scenarios.shiftClock]
  for (const scenario of [null, ...others]) {
    if (scenario) await add(scenario(environment, users))
    await scenarios.kill(environment, (minutes * 60_000) / (others.length + 1), check)
    const { lost, inconsistent, orphans } = findings
    print(
      `${JSON.stringify(scenarios.killCounts)} lost ${lost.length}, inconsistent ${inconsistent.length}, orphans ${orphans.length}`,
    )
  }
  const { web, worker, postgres, duringStart } = scenarios.killCounts
  const kills = `A web server was killed ${web} times, the worker ${worker} times and PostgreSQL ${postgres} times`
  const facts = [`${kills}; ${duringStart} of these during a start. ${comparisons} comparisons.`]
  await add(Promise.resolve({ name: 'Kills at random moments', facts, problems: [] }))
  await compareInTheEnd(environment, users)
}

async function runCluster(cleanup: (() => unknown)[]): Promise<void> {
  installPackages(clusterPrograms)
  const daemons = await openDaemons('cluster', folder)
  cleanup.push(daemons.stop)
  const environment = await startClusterEnvironment(daemons, cleanup)
  print('The cluster is ready.')
  await runFirst(environment)
  const users = await startUsers(environment, userCount, 300)
  await add(scenarios.readFromReplica(environment))
  await add(scenarios.killServer(environment))
  await add(scenarios.killPrimary(environment, users))
  await add(scenarios.readFromReplica(environment))
  await add(scenarios.killWorker(environment, users))
  await add(scenarios.fillStorage(environment))
  await add(scenarios.replaceAll(environment))
  await compareInTheEnd(environment, users)
}

async function writeReport(): Promise<void> {
  const rows = results.map(({ name, facts, problems }) => {
    return `| ${name} | ${problems.length === 0 ? 'passed' : '**failed**'} | ${[...facts, ...problems].join(' ')} |`
  })
  const head = `# Resilience: ${mode}\n\n${new Date().toISOString()}, load ${loadavg()[1]?.toFixed(1)}\n\n`
  await writeFile(
    join(folder, 'report.md'),
    `${head}| Scenario | Result | Details |\n|---|---|---|\n${rows.join('\n')}\n`,
  )
}

const cleanup: (() => unknown)[] = []
async function end(code: number): Promise<never> {
  for (const stop of cleanup.splice(0).toReversed()) await stop()
  // The simulated users would continue after an error.
  process.exit(code)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end(1))

await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
try {
  await (mode === 'kills' ? runKills : runCluster)(cleanup)
} catch (error) {
  await add(
    Promise.resolve({ name: 'The run', facts: [], problems: [`${error instanceof Error ? error.stack : error}`] }),
  )
}
await writeReport()
print(`The report and the logs are in ${folder}`)
await end(results.some(({ problems }) => problems.length > 0) ? 1 : 0)
