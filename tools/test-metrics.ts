import { installPackages } from './debian/install.ts'
import { runTests } from './run-tests.ts'

/**
 * `npm run test:metrics`: what only Prometheus can say of our metrics, alerts and dashboard, with the one of Debian's
 * packages.
 */
try {
  installPackages({ prometheus: 'prometheus', promtool: 'prometheus' })
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(1)
}
const ok = await runTests({}, 'vitest', 'run', '--config', 'vitest.metrics.config.ts', ...process.argv.slice(2))
process.exitCode = ok ? 0 : 1
