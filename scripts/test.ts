import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, stripVTControlCharacters } from 'node:util'
import { findFastFolder } from '../server/testing/fast-folder.ts'
import { clusterPackages, installPackages, openDaemons, testServices } from '../server/testing/services.ts'
import { type Check, checks, execute } from './check.ts'

/**
 * `npm test`, and with `--full` the rest: whole processes, the other browser journeys, and tests with services that are
 * installed from Debian. `--full s3 clamav` runs only these parts. Everything runs even if a part fails. The final
 * lines name the failures and count the tests of all runners; each check, such as types, counts as one.
 */
const root = fileURLToPath(new URL('../', import.meta.url))
const reports = join(root, 'test-results')

type Count = { passed: number; failed: number; skipped: number }
/** `packages` are Debian packages. */
type Suite = { name: string; packages?: string[]; run(): Promise<Count> }

const passed: Count = { passed: 1, failed: 0, skipped: 0 }
const failed: Count = { passed: 0, failed: 1, skipped: 0 }
/** Failed tests with the first lines of their errors, repeated at the end, because thousands of lines follow them. */
const failures: string[] = []
const shownLines = 12

function reportFailure(title: string, error = ''): void {
  const lines = stripVTControlCharacters(error).split('\n').slice(0, shownLines)
  failures.push([title, ...lines].join('\n  '))
}

const add = (one: Count, other: Count): Count => ({
  passed: one.passed + other.passed,
  failed: one.failed + other.failed,
  skipped: one.skipped + other.skipped,
})

/** Shows the output immediately. */
async function run(command: string[], env = {}): Promise<boolean> {
  process.stdout.write(`\n▸ ${command.join(' ')}\n`)
  return (await execute(command, { env, isShown: true })).hasPassed
}

/** Shows the output only of a check that fails. */
async function check({ title, command }: Check): Promise<Count> {
  const { hasPassed, output } = await execute(command)
  process.stdout.write(hasPassed ? `\n▸ ${title}: passed\n` : `\n▸ ${title}: failed\n${output}`)
  return hasPassed ? passed : failed
}

/** A runner that fails without naming a failed test, because it crashed or found no test, counts as one failure. */
async function runTests(command: string[], report: string, read: (json: string) => Count, env = {}): Promise<Count> {
  rmSync(report, { force: true })
  const isOk = await run(command, env)
  try {
    const count = read(readFileSync(report, 'utf8'))
    const isPlausible = isOk ? count.failed === 0 && count.passed > 0 : count.failed > 0
    return isPlausible ? count : add(count, failed)
  } catch {
    return failed
  }
}

function vitest(projects: string[], env = {}): Promise<Count> {
  const report = join(reports, `vitest-${projects.join('-')}.json`)
  const selected = projects.flatMap((project) => ['--project', project])
  const command = ['vitest', 'run', ...selected, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  return runTests(
    command,
    report,
    (json) => {
      const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(json)
      for (const { name, assertionResults } of testResults) {
        for (const { status, fullName, failureMessages } of assertionResults) {
          if (status === 'failed') reportFailure(`${relative(root, name)}: ${fullName}`, failureMessages[0])
        }
      }
      return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests }
    },
    env,
  )
}

type PlaywrightSpec = {
  title: string
  file: string
  tests: {
    status: string
    projectName: string
    results: { error?: { message: string; location?: { file: string; line: number } } }[]
  }[]
}

function reportJourney({ title, file, tests }: PlaywrightSpec): void {
  for (const { status, projectName, results } of tests) {
    if (status !== 'unexpected' && status !== 'flaky') continue
    const { message, location } = results[0]?.error ?? {}
    const place = location ? `${relative(root, location.file)}:${location.line}` : `e2e/${file}`
    reportFailure(`${place} (${projectName}): ${title}`, message)
  }
}

/** A journey that passed only when it was repeated counts as failed. */
function playwright(name: string, args: string[], env = {}): Promise<Count> {
  const report = join(reports, `playwright-${name}.json`)
  return runTests(
    ['playwright', 'test', `--output=${join(reports, `playwright-${name}`)}`, ...args],
    report,
    (json) => {
      const report = JSON.parse(json, (key, value) => {
        if (key === 'specs') value.forEach(reportJourney)
        return value
      })
      const { expected, unexpected, flaky, skipped } = report.stats
      return { passed: expected, failed: unexpected + flaky, skipped }
    },
    { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  )
}

const build: Check = { title: 'Build', command: ['node', 'scripts/build.ts'] }
const size: Check = { title: 'Size of the pages', command: ['node', 'scripts/check-bundle.ts'] }

/** These journeys cover each user task once, and the main task on a phone. */
const smoke = '^desktop .*@smoke|^phone .*@reader'

/** Runs the tests for each commit. Vitest leaves processors idle, so the checks and the build run at the same time. */
async function runUsual(): Promise<Count> {
  const results = await Promise.all([
    vitest(['unit', 'isolated', 'http']),
    ...checks.map(check),
    check(build).then(async (built) => add(built, await check(size))),
  ])
  results.push(await playwright('smoke', ['--grep', smoke]))
  return results.reduce(add)
}

const runResilience = async (mode: string) =>
  (await run(['node', 'scripts/resilience.ts', mode, '--minutes', '2'])) ? passed : failed

/** Runs the package of release 1.0.0 beside this version. */
async function runRelease(): Promise<Count> {
  const RELEASE_TARBALL = join(root, 'lectern-1.0.0.tgz')
  if (existsSync(RELEASE_TARBALL)) return vitest(['release'], { RELEASE_TARBALL })
  process.stdout.write('\n▸ release: not run, because lectern-1.0.0.tgz of the release page is not in this folder\n')
  return { passed: 0, failed: 0, skipped: 0 }
}

const suites: Suite[] = [
  { name: 'process', run: () => vitest(['process']) },
  { name: 'journeys', run: () => playwright('journeys', ['--grep-invert', smoke]) },
  { name: 'package', run: () => check({ title: 'Package', command: ['node', 'scripts/test-package.ts'] }) },
  { name: 'release', run: runRelease },
  ...testServices.map(({ name, packages, start, journeys }) => ({
    name,
    packages,
    async run() {
      const daemons = await openDaemons(name, { parent: await findFastFolder() })
      try {
        const env = (await start?.(daemons)) ?? {}
        const count = await vitest([name], env)
        return journeys ? add(count, await playwright(name, journeys, env)) : count
      } finally {
        await daemons.stop()
      }
    },
  })),
  { name: 'cluster', packages: clusterPackages, run: () => runResilience('cluster') },
  { name: 'kills', run: () => runResilience('kills') },
]

async function runSuite({ name, packages, run }: Suite): Promise<Count> {
  try {
    if (packages) installPackages(packages)
  } catch (error) {
    process.stdout.write(`\n▸ ${name}: skipped. ${(error as Error).message}\n`)
    return { passed: 0, failed: 0, skipped: 1 }
  }
  return run().catch((error: Error) => {
    process.stderr.write(`${error.stack}\n`)
    return failed
  })
}

async function runFull(names: string[]): Promise<Count> {
  let total: Count = add(await check(build), { passed: 0, failed: 0, skipped: 0 })
  for (const suite of suites.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const startedAt = performance.now()
    const count = await runSuite(suite)
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    process.stdout.write(`\n▸ ${suite.name}: ${count.passed} passed, ${count.failed} failed, ${seconds} s\n`)
    total = add(total, count)
  }
  return total
}

mkdirSync(reports, { recursive: true })
const { values, positionals: names } = parseArgs({ options: { full: { type: 'boolean' } }, allowPositionals: true })
const unknown = names.filter((name) => !suites.some((suite) => suite.name === name))
if (unknown.length > 0 || (names.length > 0 && !values.full)) {
  process.stderr.write(`npm run test:full -- ${suites.map(({ name }) => `[${name}]`).join(' ')}\n`)
  process.exit(2)
}
const total = values.full ? await runFull(names) : await runUsual()
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : ''
if (failures.length > 0) process.stdout.write(`\nFailed:\n${failures.join('\n')}\n`)
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed${skipped}\n`)
process.exitCode = total.failed === 0 ? 0 : 1
