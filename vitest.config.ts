import { availableParallelism } from 'node:os'
import { defaultExclude, defineConfig } from 'vitest/config'

/** What needs a store that speaks S3. */
export const ofS3Alone = 'server/**/*.s3.test.ts'
/** What needs a clamd. */
export const ofClamavAlone = 'server/**/*.clamav.test.ts'
/** What needs a Prometheus. */
export const ofPrometheusAlone = 'server/**/*.prometheus.test.ts'
/** What needs a pooler before PostgreSQL. */
export const ofPoolersAlone = 'server/**/*.pooler.test.ts'
/** What needs Caddy and nginx. */
export const ofProxiesAlone = 'tools/**/*.proxies.test.ts'

// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from the default export
export default defineConfig({
  test: {
    include: ['{contract,server,web,tools}/**/*.test.ts'],
    exclude: [...defaultExclude, ofS3Alone, ofClamavAlone, ofPrometheusAlone, ofPoolersAlone, ofProxiesAlone],
    globalSetup: './server/test/global-setup.ts',
    // One more than there are cores: most of a test's time is waiting for PostgreSQL, mail and processes.
    maxWorkers: availableParallelism() + 1,
    // Far beyond what anything takes: a machine that is busy with other things makes no test fail.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
    restoreMocks: true,
  },
})
