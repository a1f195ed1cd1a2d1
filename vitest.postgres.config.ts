import { defineConfig, mergeConfig } from 'vitest/config'
import base, { ofPoolersAlone, ofS3Alone } from './vitest.config.ts'

const onlyPooled = process.env.TEST_POOLER_PORT ? [] : [ofPoolersAlone]

/** Called by `npm run test:postgres`, which says where the PostgreSQL is, and the pooler before it. */
// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from the default export
export default mergeConfig(
  { ...base, test: { ...base.test, include: [], exclude: ['**/node_modules/**', ofS3Alone] } },
  defineConfig({
    test: {
      include: ['server/**/*.test.ts'],
      // Of the embedded PostgreSQL alone, and of a role of its own, which the pooler of the tests has none of.
      exclude: [
        'server/postgres/**',
        'server/{crash,start,stop}.test.ts',
        'server/db/{exhausted,replica}.test.ts',
        // Counts what is read in loops, which PostgreSQL tells exactly from 18 on; 15 collects by the year where 18 does by the course.
        'server/courses/rows-read.test.ts',
        ...onlyPooled,
      ],
    },
  }),
)
