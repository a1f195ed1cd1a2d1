import { defineConfig, mergeConfig } from 'vitest/config'
import base, { ofPrometheusAlone } from './vitest.config.ts'

/** Called by `npm run test:metrics`, which sees to it that there is a Prometheus. */
// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from the default export
export default mergeConfig(
  { ...base, test: { ...base.test, include: [], exclude: ['**/node_modules/**'] } },
  defineConfig({ test: { include: [ofPrometheusAlone] } }),
)
