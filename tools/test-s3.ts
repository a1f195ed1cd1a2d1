import { installCeph, startGateway } from './debian/ceph.ts'
import { runTests } from './run-tests.ts'

/**
 * `npm run test:s3`: the tests of storage, uploads, downloads and backups again, with their files in an S3: that of a Ceph
 * from Debian's packages, or the one that TEST_S3_ENDPOINT names; and what only a browser shows of files that come from
 * there. With something behind `--` only Vitest runs, and is given it.
 */
async function openGateway() {
  const { TEST_S3_ENDPOINT: endpoint, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = process.env
  if (endpoint) {
    const [accessKeyId, secretAccessKey] = [AWS_ACCESS_KEY_ID ?? '', AWS_SECRET_ACCESS_KEY ?? '']
    return { endpoint, accessKeyId, secretAccessKey, stop: async () => {} }
  }
  installCeph()
  const startedAt = performance.now()
  const gateway = await startGateway()
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  process.stdout.write(`Ceph and its S3 gateway answer at ${gateway.endpoint} after ${seconds} s.\n`)
  return gateway
}

const gateway = await openGateway().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
const env = {
  TEST_S3_ENDPOINT: gateway.endpoint,
  TEST_S3_ACCESS_KEY_ID: gateway.accessKeyId,
  TEST_S3_SECRET_ACCESS_KEY: gateway.secretAccessKey,
}

const given = process.argv.slice(2)
let ok = await runTests(env, 'vitest', 'run', '--config', 'vitest.s3.config.ts', ...given)
if (given.length === 0) {
  const isBuilt = await runTests(env, 'node', 'tools/build-if-stale.ts')
  ok = isBuilt && (await runTests(env, 'playwright', 'test', '--project=desktop', '.s3.spec.ts')) && ok
}
await gateway.stop()
process.exitCode = ok ? 0 : 1
