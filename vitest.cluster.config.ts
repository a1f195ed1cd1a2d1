import { defineConfig, mergeConfig } from 'vitest/config'
import base from './vitest.config.ts'

/**
 * Called by `npm run test:cluster`, which says where nginx, the primary, its pooler and the store are: the tests of what the
 * API answers.
 */
// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from the default export
export default mergeConfig(
  { ...base, test: { ...base.test, include: [], exclude: ['**/node_modules/**'] } },
  defineConfig({
    test: {
      include: [
        'server/accounts/{register,verify,reset}.test.ts',
        'server/notes/{delete,edit,get,hidden,upload,view}.test.ts',
        'server/search/{search,paging,related,suggestions}.test.ts',
        'server/search/inside/{search-inside,phrases}.test.ts',
        'server/{courses,people,profile,ratings,reading,sessions,settings}/*.test.ts',
      ],
      // Of plans, and of migrations and connections of their own.
      exclude: ['**/{rows-read,migration,session-memory}.test.ts'],
      reporters: ['default', ['json', { outputFile: 'test-results/cluster.json' }]],
    },
  }),
)
