import { mkdir, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { clusterPackages, type Daemons, installPackages, openDaemons } from '../server/testing/services.ts'
import { compare, compareAtEnd } from './resilience/compare.ts'
import { type Environment, startClusterEnvironment, startSingleEnvironment } from './resilience/environment.ts'
import * as scenarios from './resilience/scenarios.ts'
import { startUsers, type Users } from './resilience/users.ts'

/**
 * `npm run resilience -- kills|cluster`: simulated users work while servers, workers, PostgreSQL and the storage are
 * killed or fail. A ledger of acknowledged changes is compared with the database and the files. `kills` kills the
 * processes of a single machine at random moments for `--minutes`; `cluster` runs Lectern on replicated services from
 * Debian's packages. The logs are in test-results/.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '30' } },
})
const [[mode = ''], minutes] = [positionals, Number(values.minutes)]
if (!['kills', 'cluster'].includes(mode) || !(minutes >= 0)) {
  process.stderr.write('npm run resilience -- kills|cluster [--minutes 30]\n')
  process.exit(2)
}

const folder = fileURLToPath(new URL(`../test-results/resilience-${mode}/`, import.meta.url))
const cleanup: (() => unknown)[] = []
const print = (text: string) => void process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`)

async function runKills(daemons: Daemons): Promise<void> {
  const environment = await startSingleEnvironment(daemons, cleanup)
  const users = await startUsers(environment, 120)
  print(await scenarios.kill(environment, minutes * 60_000, () => compare(environment)))
  await end(environment, users)
}

async function runCluster(daemons: Daemons): Promise<void> {
  const environment = await startClusterEnvironment(daemons, cleanup)
  const all = await startUsers(environment, 300)
  print(await scenarios.readFromReplica(environment))
  print(await scenarios.killServer(environment))
  print(await scenarios.killPrimary(environment, all.users))
  print(await scenarios.readFromReplica(environment))
  print(await scenarios.killWorker(environment))
  print(await scenarios.replaceAll(environment))
  await end(environment, all)
}

/** Reads every note once more, and compares everything. */
async function end(environment: Environment, { users, stop }: Users): Promise<void> {
  await stop()
  for (const user of users) await user.logIn()
  const { ledger, requests, problems, noteIds } = environment
  for (const title of ledger.listTitles()) if (noteIds.has(title)) await users[0]?.view(title)
  await compareAtEnd(environment)
  const unanswered = requests.filter(({ isAnswered }) => !isAnswered).length
  print(`${requests.length} requests, ${unanswered} of them not answered. ${ledger.listTitles().length} notes exist.`)
  for (const problem of problems) print(`✗ ${problem}`)
  print(problems.size === 0 ? '✓ The ledger, the database and the files agree' : `${problems.size} problems`)
  if (problems.size > 0) process.exitCode = 1
}

async function stopAll(): Promise<never> {
  for (const stop of cleanup.splice(0).toReversed()) await stop()
  // After an error the simulated users would continue.
  process.exit()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    process.exitCode = 1
    void stopAll()
  })
}

await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
try {
  if (mode === 'cluster') installPackages(clusterPackages)
  const daemons = await openDaemons(mode, { logs: folder })
  cleanup.push(daemons.stop)
  await (mode === 'kills' ? runKills : runCluster)(daemons)
} catch (error) {
  process.exitCode = 1
  print(`✗ The run ended early. ${error instanceof Error ? error.stack : error}`)
}
await stopAll()
