import { defineConfig, mergeConfig } from 'vitest/config'
import base, { ofClamavAlone } from './vitest.config.ts'

/** Called by `npm run test:clamav`, which sees to it that there is a clamd. */
// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from the default export
export default mergeConfig(
  { ...base, test: { ...base.test, include: [], exclude: ['**/node_modules/**'] } },
  defineConfig({ test: { include: [ofClamavAlone] } }),
)
