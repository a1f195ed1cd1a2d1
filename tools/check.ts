import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `npm run check`: all checks that only read the sources, side by side. It prints the output of those that fail. */
const root = fileURLToPath(new URL('../', import.meta.url))

/** For commands of this repository: its programs come before those of the machine. */
export const env = { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH}` }

export type Check = { title: string; command: [string, ...string[]] }

/** Licences as package-lock.json writes them. They ask for nothing but their own text to be kept. */
const licences = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Zlib',
  '(MIT AND Zlib)',
  '(MIT OR CC0-1.0)',
  'MIT OR Apache-2.0',
  // As permissive as BSD, under the name of where it came from.
  'Python-2.0',
].map((licence) => `[license="${licence}"]`)
const licenceExceptions = [
  // libvips is linked as a library that the operator can replace; it is neither changed nor copied.
  ...['LGPL-3.0-or-later', 'Apache-2.0 AND LGPL-3.0-or-later', 'Apache-2.0 AND LGPL-3.0-or-later AND MIT'].map(
    (licence) => `[license="${licence}"][name^="@img/sharp-"]`,
  ),
  // Fonts may be passed on and cut to some characters; none is sold by itself or keeps a reserved name.
  '[license="MIT AND OFL-1.1"][name^="@expo-google-fonts/"]',
  // Used to build and to test: nothing of it is shipped, and its files are not changed.
  '[license="MPL-2.0"].dev',
  // These packages say nothing in the lock file: Biome's programs are MIT as Biome is, png-js contains the text of MIT.
  '[name^="@biomejs/cli-"]:not([license])',
  '[name="png-js"]:not([license])',
]
const otherLicences = `:not(:root, ${[...licences, ...licenceExceptions].join(', ')})`

export const checks: Check[] = [
  ...['contract', 'server', 'web', 'e2e'].map(
    (project): Check => ({ title: `Types: ${project}`, command: ['tsc', '-p', project] }),
  ),
  { title: 'Format, lint and imports', command: ['biome', 'ci', '--error-on-warnings', '--colors=off'] },
  { title: 'Unused code', command: ['knip', '--no-progress', '--treat-config-hints-as-errors'] },
  {
    title: 'Licences',
    command: ['npm', 'query', '--package-lock-only', '--expect-results=false', '--loglevel=error', otherLicences],
  },
  { title: 'API description', command: ['node', 'tools/check-api.ts'] },
  { title: 'Workflows', command: ['node', 'tools/check-workflows.ts'] },
]

export async function runCheck({
  command: [program, ...args],
}: Check): Promise<{ hasPassed: boolean; output: string }> {
  const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ hasPassed: false, output: `${error.message}\n` }))
    child.on('close', (code) => resolve({ hasPassed: code === 0, output }))
  })
}

if (import.meta.main) {
  const results = await Promise.all(checks.map(async (check) => ({ ...check, ...(await runCheck(check)) })))
  const failed = results.filter(({ hasPassed }) => !hasPassed)
  for (const { title, output } of failed) process.stdout.write(`\n▸ ${title}\n${output}`)
  const names = failed.map(({ title }) => title).join(', ')
  process.stdout.write(failed.length === 0 ? `All ${checks.length} checks passed\n` : `\nFailed: ${names}\n`)
  process.exitCode = failed.length === 0 ? 0 : 1
}
