import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPackages } from './debian.ts'

/**
 * `npm run test:metrics`: what only Prometheus can say of our metrics, alerts and dashboard, with the one of Debian's
 * packages.
 */
const root = fileURLToPath(new URL('../', import.meta.url))
const env = { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH}` }

try {
  installPackages({ prometheus: 'prometheus', promtool: 'prometheus' })
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(1)
}
const args = ['run', '--config', 'vitest.metrics.config.ts', ...process.argv.slice(2)]
const child = spawn('vitest', args, { cwd: root, stdio: 'inherit', env })
child.once('close', (code) => process.exit(code ?? 1))
