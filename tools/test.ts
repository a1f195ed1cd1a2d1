import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checks } from './check.ts'

/**
 * `npm test`: every check there is, all of them even when one fails; those that only read run side by side. It ends
 * with the runners' own counts, where each check of `npm run check`, the build and the size count as one.
 */
const root = fileURLToPath(new URL('../', import.meta.url))
const reports = { vitest: 'test-results/vitest.json', playwright: 'test-results/playwright.json' }

type Count = { passed: number; failed: number }

/** The tools of this repository before those of the machine, and its Node with them. */
const env = { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH}` }

/** @param output `hold` keeps what it prints until it ends, for what runs beside others. */
function run(title: string, [command = '', ...args]: string[], output: 'show' | 'hold' = 'show'): Promise<boolean> {
  if (output === 'show') process.stdout.write(`\n▸ ${title}\n`)
  return new Promise((resolve) => {
    const held: Buffer[] = []
    const stdio = output === 'show' ? 'inherit' : 'pipe'
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', stdio, stdio] })
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => held.push(chunk))
    child.on('error', (error) => held.push(Buffer.from(`${error.message}\n`)))
    child.on('close', (code) => {
      if (output === 'hold') process.stdout.write(`\n▸ ${title}\n${Buffer.concat(held)}`)
      resolve(code === 0)
    })
  })
}

async function runCheck(title: string, args: string[], output?: 'hold'): Promise<Count> {
  const ok = await run(title, args, output)
  return { passed: Number(ok), failed: Number(!ok) }
}

/** A runner that ends badly without naming a failed test (a crash, no tests) still counts as a failure. */
async function runTests(title: string, args: string[], report: string, read: (json: string) => Count): Promise<Count> {
  rmSync(`${root}${report}`, { force: true })
  const ok = await run(title, args)
  try {
    const count = read(readFileSync(`${root}${report}`, 'utf8'))
    const isSound = ok ? count.failed === 0 && count.passed > 0 : count.failed > 0
    return isSound ? count : { ...count, failed: count.failed + 1 }
  } catch {
    return { passed: 0, failed: 1 }
  }
}

function readVitest(json: string): Count {
  const { numPassedTests, numFailedTests } = JSON.parse(json)
  return { passed: numPassedTests, failed: numFailedTests }
}

/** A test that passed only when repeated is a failure here. */
function readPlaywright(json: string): Count {
  const { expected, unexpected, flaky } = JSON.parse(json).stats
  return { passed: expected, failed: unexpected + flaky }
}

mkdirSync(`${root}test-results`, { recursive: true })
// What only reads runs beside the first runner, which leaves much of the processors waiting.
const counts: Count[] = await Promise.all([
  ...checks.map(({ title, command }) => runCheck(title, command, 'hold')),
  runTests(
    'Unit and HTTP tests',
    ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${reports.vitest}`],
    reports.vitest,
    readVitest,
  ),
])
counts.push(await runCheck('Build of pages and code', ['node', 'tools/build-if-stale.ts']))
counts.push(await runCheck('Size of the pages', ['node', 'tools/check-bundle.ts']))
counts.push(await runTests('Browser journeys', ['playwright', 'test'], reports.playwright, readPlaywright))

const passed = counts.reduce((sum, count) => sum + count.passed, 0)
const failed = counts.reduce((sum, count) => sum + count.failed, 0)
process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1
