import { defineConfig, mergeConfig } from 'vitest/config'
import base, { ofS3Alone } from './vitest.config.ts'

/** Called by `npm run test:s3`, which says where the S3 is. */
// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from the default export
export default mergeConfig(
  { ...base, test: { ...base.test, include: [], exclude: ['**/node_modules/**'] } },
  defineConfig({
    test: {
      include: [
        ofS3Alone,
        'server/{backup,documents,exports,files,leaving,notes}/**/*.test.ts',
        'server/http/health.test.ts',
        'server/crash.test.ts',
      ],
    },
  }),
)
