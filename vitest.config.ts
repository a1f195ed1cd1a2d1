import { availableParallelism } from 'node:os'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Tests that need neither a database nor a process. */
const unit = ['{packages,web}/**/*.test.ts', 'server/features/{auth/passwords,search/text-analysis}/*.test.ts']
const suffixes = ['isolated', 'process', 's3', 'clamav', 'prometheus', 'pooler', 'proxies', 'release']
const withSuffix = (suffix: string) => `{packages,server,scripts}/**/*.${suffix}.test.ts`

/** Tests that share a worker thread, and so must leave no global state behind. */
const project = (name: string, include: string[], exclude: string[] = []): TestProjectInlineConfiguration => ({
  extends: true,
  test: { name, include, exclude: ['**/node_modules/**', ...exclude] },
})

/** HTTP tests on one PostgreSQL, in which each test file copies a database. */
const onPostgres = (...given: Parameters<typeof project>): TestProjectInlineConfiguration => {
  const { test, ...rest } = project(...given)
  return { ...rest, test: { ...test, globalSetup: './server/testing/global-setup.ts' } }
}

/** Short files that take minutes. Vitest begins with the largest files, so these would run alone at the end. */
const slow = /(lock-order|anonymity-races|course-digest-crash)\.process\.test\.ts$/

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isSlow = ({ moduleId }: TestSpecification) => Number(slow.test(moduleId))
    return (await super.sort(files)).toSorted((a, b) => isSlow(b) - isSlow(a))
  }
}

/**
 * `npm test` runs unit, isolated and http. `npm run test:full` runs the others, which need a service, start whole processes, or repeat tests
 * of http with another PostgreSQL or with S3.
 */
// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from the default export
export default defineConfig({
  test: {
    pool: 'threads',
    isolate: false,
    // One more than there are CPUs, because tests wait for PostgreSQL most of the time.
    maxWorkers: availableParallelism() + 1,
    // Much longer than any test takes, so that none fails on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
    sequence: { sequencer: SlowFirst },
    restoreMocks: true,
    unstubGlobals: true,
    projects: [
      project('unit', unit, suffixes.map(withSuffix)),
      { extends: true, test: { name: 'isolated', include: [withSuffix('isolated')], isolate: true } },
      onPostgres('http', ['{server,scripts}/**/*.test.ts'], [...unit, ...suffixes.map(withSuffix)]),
      onPostgres('process', [withSuffix('process')]),
      onPostgres('clamav', [withSuffix('clamav')]),
      onPostgres('prometheus', [withSuffix('prometheus')]),
      project('proxies', [withSuffix('proxies')]),
      onPostgres('release', [withSuffix('release')]),
      onPostgres(
        's3',
        [
          withSuffix('s3'),
          'server/features/{accounts/deletion,accounts/exports,notes,uploads,uploads/documents}/*.test.ts',
          'server/{operations/backup,platform/storage}/*.test.ts',
          'server/platform/http/health.test.ts',
          'server/testing/flows/crash.process.test.ts',
        ],
        // These tests only concern the database and local disks.
        [
          'server/features/notes/anonymity-races.process.test.ts',
          'server/platform/storage/full-disk.process.test.ts',
          'server/platform/storage/disk.test.ts',
        ],
      ),
      onPostgres(
        'postgres15',
        ['server/**/*.test.ts'],
        [
          ...unit,
          ...suffixes.filter((suffix) => suffix !== 'pooler').map(withSuffix),
          // Uses a role with few connections that the pooler does not know.
          'server/platform/db/{resource-exhaustion,replica}.test.ts',
          // Commands open separate databases, some of them embedded.
          'server/operations/admin/**',
          // A separate proxy in front of PostgreSQL, which the pooler would replace.
          'server/platform/http/without-database.test.ts',
          // PostgreSQL counts the rows read in loops exactly only from 18 on.
          'server/features/courses/rows-read.test.ts',
        ],
      ),
    ],
  },
})
