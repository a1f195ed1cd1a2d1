import { cephPackages, startGateway } from './debian/ceph.ts'
import { clamavPackages } from './debian/clamav.ts'
import { openDaemons } from './debian/daemons.ts'
import { installPackages } from './debian/install.ts'
import { postgresPackages, startPgbouncer, startPostgres } from './debian/postgres.ts'

type Running = { env: Record<string, string>; stop(): Promise<void> }

/** A service from Debian's packages that tests run with. */
export type Service = {
  /** Of the Vitest project, too. */
  name: string
  /** Installs its packages where they are missing. @throws where that is not possible. */
  install(): void
  /** @returns what tests find it by. */
  start(): Promise<Running>
  /** Arguments for Playwright, if there are journeys with it. */
  journeys?: string[]
}

/** For services that the tests themselves start. */
const startNothing = async (): Promise<Running> => ({ env: {}, stop: async () => {} })

async function startS3(): Promise<Running> {
  const { endpoint, accessKeyId, secretAccessKey, stop } = await startGateway()
  const env = {
    TEST_S3_ENDPOINT: endpoint,
    TEST_S3_ACCESS_KEY_ID: accessKeyId,
    TEST_S3_SECRET_ACCESS_KEY: secretAccessKey,
  }
  return { env, stop }
}

/** The oldest PostgreSQL that Lectern supports, behind PgBouncer in transaction mode. */
async function startPostgres15(): Promise<Running> {
  const daemons = await openDaemons('lectern-postgres-')
  try {
    const { url, port } = await startPostgres(daemons)
    // Fewer than a server's own connections, so that they have to be shared.
    const pooler = await startPgbouncer(daemons, port, 4)
    return { env: { TEST_DATABASE_URL: url, TEST_POOLER_PORT: String(pooler) }, stop: () => daemons.stop() }
  } catch (error) {
    await daemons.stop()
    throw error
  }
}

export const openServices = (): Service[] => [
  {
    name: 's3',
    install: () => installPackages(cephPackages),
    start: startS3,
    journeys: ['--project=desktop', '.s3.spec.ts'],
  },
  { name: 'postgres15', install: () => installPackages(postgresPackages), start: startPostgres15 },
  { name: 'clamav', install: () => installPackages(clamavPackages), start: startNothing },
  {
    name: 'prometheus',
    install: () => installPackages({ prometheus: 'prometheus', promtool: 'prometheus' }),
    start: startNothing,
  },
  {
    name: 'proxies',
    install: () =>
      installPackages({
        caddy: 'caddy',
        nginx: 'nginx-light',
        'systemd-analyze': 'systemd',
        'docker-compose': 'docker-compose',
      }),
    start: startNothing,
  },
]
