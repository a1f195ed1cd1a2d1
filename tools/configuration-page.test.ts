import { expect, it } from 'vitest'
import { readConfigurationPage, renderConfigurationPage } from './configuration-page.ts'

it('docs/configuration.md is what `npm run schema` writes', async () => {
  expect(await readConfigurationPage()).toBe(renderConfigurationPage())
})
