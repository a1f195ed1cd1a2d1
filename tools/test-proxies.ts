import { installPackages } from './debian/install.ts'
import { runTests } from './run-tests.ts'

/**
 * `npm run test:proxies`: students' journeys through Debian's Caddy and nginx, with https and the files of `deploy/`; and
 * what systemd says of its unit and Docker Compose of its file. What follows `--` is given to Vitest.
 */
try {
  installPackages({
    caddy: 'caddy',
    nginx: 'nginx-light',
    'systemd-analyze': 'systemd',
    'docker-compose': 'docker-compose',
  })
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(1)
}
const ok =
  (await runTests({}, 'node', 'tools/build-if-stale.ts')) &&
  (await runTests({}, 'vitest', 'run', '--config', 'vitest.proxies.config.ts', ...process.argv.slice(2)))
process.exitCode = ok ? 0 : 1
