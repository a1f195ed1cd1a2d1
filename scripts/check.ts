import { type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/**
 * `npm run check`: runs all checks that only read the sources in parallel, and prints the output of those that fail.
 */
const root = fileURLToPath(new URL('../', import.meta.url))

/** The repository's own programs take precedence over the machine's. */
const usualEnv = { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH}` }

export type Check = { title: string; command: string[] }

/** Allowed licences as package-lock.json writes them. They only require that their text is kept. */
const licences = `0BSD, Apache-2.0, BlueOak-1.0.0, BSD-2-Clause, BSD-3-Clause, CC0-1.0, ISC, MIT, MIT-0, Python-2.0, Zlib,
  (MIT AND Zlib), (MIT OR CC0-1.0), MIT OR Apache-2.0`
const licenceExceptions = [
  // Fonts may be redistributed and subset; none is sold alone or keeps a reserved name.
  '[license="MIT AND OFL-1.1"][name^="@expo-google-fonts/"]',
  // These packages are only used to build and test: they are not shipped, and their files are not changed.
  '[license="MPL-2.0"].dev',
  // These packages have no licence in the lock file: Biome's programs are MIT as Biome is, png-js contains the text of
  // MIT.
  '[name^="@biomejs/cli-"]:not([license])',
  '[name="png-js"]:not([license])',
]
const allowed = licences.split(/,\s+/).map((licence) => `[license="${licence}"]`)
const otherLicences = `:not(:root, ${[...allowed, ...licenceExceptions].join(', ')})`

export const checks: Check[] = [
  ...['packages/contract', 'server', 'web', 'e2e'].map(
    (project): Check => ({ title: `Types: ${project}`, command: ['tsc', '-p', project] }),
  ),
  { title: 'Format, lint and imports', command: ['biome', 'ci', '--error-on-warnings', '--colors=off'] },
  { title: 'Unused code', command: ['knip', '--no-progress', '--treat-config-hints-as-errors'] },
  {
    title: 'Licences',
    command: ['npm', 'query', '--package-lock-only', '--expect-results=false', '--loglevel=error', otherLicences],
  },
  { title: 'API description', command: ['node', 'scripts/check-api.ts'] },
  { title: 'Workflows', command: ['node', 'scripts/check-workflows.ts'] },
]

const hasGroups = process.platform !== 'win32'
/** The process groups of running commands, as numbers for `process.kill`. */
const groups = new Set<number>()
let isEnding = false

/** Collects the output unless it is shown. */
export async function execute([program = '', ...args]: string[], { env = {}, isShown = false } = {}) {
  // No command starts after a signal.
  if (isEnding) await new Promise(() => {})
  const output = isShown ? 'inherit' : 'pipe'
  const options: SpawnOptions = { cwd: root, env: { ...usualEnv, ...env }, stdio: ['ignore', output, output] }
  const child = spawn(program, args, { ...options, detached: hasGroups })
  const group = hasGroups ? -(child.pid ?? 0) : (child.pid ?? 0)
  if (group !== 0) groups.add(group)
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => chunks.push(chunk))
  const [end] = await once(child, 'close').catch((error) => [error])
  if (!isEnding) groups.delete(group)
  return { hasPassed: end === 0, output: `${end instanceof Error ? end.message : ''}${Buffer.concat(chunks)}` }
}

/** Lists all descendants of this process, because PostgreSQL has its own process group. */
function listDescendants(): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'ppid=,pid='], { encoding: 'utf8' })
  const pairs = (stdout ?? '').split('\n').map((line) => line.trim().split(/\s+/).map(Number))
  const found = [process.pid]
  for (const parent of found) found.push(...pairs.flatMap(([ppid, pid = 0]) => (ppid === parent ? [pid] : [])))
  return found.slice(1)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, async () => {
    isEnding = true
    const left = new Set([...groups, ...listDescendants()])
    const send = (what: NodeJS.Signals | 0) => {
      for (const pid of left) {
        try {
          process.kill(pid, what)
        } catch {
          left.delete(pid)
        }
      }
    }
    send('SIGTERM')
    for (let n = 0; left.size > 0 && n < 200; n++) {
      await setTimeout(100)
      send(0)
    }
    send('SIGKILL')
    process.exit(1)
  })
}

if (import.meta.main) {
  const results = await Promise.all(checks.map(async (check) => ({ ...check, ...(await execute(check.command)) })))
  const failed = results.filter(({ hasPassed }) => !hasPassed)
  for (const { title, output } of failed) process.stdout.write(`\n▸ ${title}\n${output}`)
  const names = failed.map(({ title }) => title).join(', ')
  process.stdout.write(failed.length === 0 ? `All ${checks.length} checks passed\n` : `\nFailed: ${names}\n`)
  process.exitCode = failed.length === 0 ? 0 : 1
}
