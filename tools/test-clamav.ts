import { clamavPackages } from './debian/clamav.ts'
import { installPackages } from './debian/install.ts'
import { runTests } from './run-tests.ts'

/**
 * `npm run test:clamav`: that nothing is shared which a virus scanner finds or has not looked at, with the clamd of
 * Debian's packages and signatures of our own.
 */
try {
  installPackages(clamavPackages)
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(1)
}
const ok = await runTests({}, 'vitest', 'run', '--config', 'vitest.clamav.config.ts', ...process.argv.slice(2))
process.exitCode = ok ? 0 : 1
