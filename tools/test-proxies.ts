import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPackages } from './debian.ts'

/**
 * `npm run test:proxies`: students' journeys through Debian's Caddy and nginx, with https and the files of `deploy/`; and
 * what systemd says of its unit. What follows `--` is given to Vitest.
 */
const root = fileURLToPath(new URL('../', import.meta.url))
/** The tools of this repository before those of the machine, and its Node with them. */
const env = { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH}` }

try {
  installPackages({ caddy: 'caddy', nginx: 'nginx-light', 'systemd-analyze': 'systemd' })
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(1)
}

/** @returns whether it ended well. */
async function run(command: string, ...args: string[]): Promise<boolean> {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', env })
  return (await new Promise((resolve) => child.once('close', resolve))) === 0
}

const ok =
  (await run('node', 'tools/build-if-stale.ts')) &&
  (await run('vitest', 'run', '--config', 'vitest.proxies.config.ts', ...process.argv.slice(2)))
process.exitCode = ok ? 0 : 1
