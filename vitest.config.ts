import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from the default export
export default defineConfig({
  test: {
    include: ['{contract,server,web,tools}/**/*.test.ts'],
    globalSetup: './server/test/global-setup.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    restoreMocks: true,
  },
})
