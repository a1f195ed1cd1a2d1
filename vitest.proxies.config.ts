import { defineConfig, mergeConfig } from 'vitest/config'
import base, { ofProxiesAlone } from './vitest.config.ts'

/** Called by `npm run test:proxies`, which sees to it that the proxies are there. */
// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from the default export
export default mergeConfig(
  { ...base, test: { ...base.test, include: [], exclude: ['**/node_modules/**'], globalSetup: [] } },
  defineConfig({ test: { include: [ofProxiesAlone] } }),
)
