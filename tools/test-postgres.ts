import { openDaemons } from './debian/daemons.ts'
import { installPackages } from './debian/install.ts'
import { postgresPackages, startPgbouncer, startPostgres } from './debian/postgres.ts'
import { runTests } from './run-tests.ts'

/**
 * `npm run test:postgres`: the server's tests on the oldest PostgreSQL that Lectern takes, that of Debian 12, with its
 * PgBouncer in transaction mode before every server that they start. With `--direct` there is none. What stands behind `--`
 * is given to Vitest.
 */
const [isDirect, given] = [process.argv.includes('--direct'), process.argv.slice(2).filter((arg) => arg !== '--direct')]

async function start() {
  installPackages(postgresPackages)
  const daemons = await openDaemons('lectern-postgres-')
  try {
    const { url, port } = await startPostgres(daemons)
    // Fewer than a server's own connections, so that they have to be shared.
    const pooler = isDirect ? '' : String(await startPgbouncer(daemons, port, 4))
    return { daemons, env: { TEST_DATABASE_URL: url, TEST_POOLER_PORT: pooler } }
  } catch (error) {
    await daemons.stop()
    throw error
  }
}

const { daemons, env } = await start().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
const ok = await runTests(env, 'vitest', 'run', '--config', 'vitest.postgres.config.ts', ...given)
await daemons.stop()
process.exitCode = ok ? 0 : 1
