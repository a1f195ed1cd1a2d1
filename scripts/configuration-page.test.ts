import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { configurationPage, renderConfigurationPage } from './generate-schema.ts'

it('docs/configuration.md is what `npm run schema` writes', () => {
  expect(readFileSync(configurationPage, 'utf8')).toBe(renderConfigurationPage())
})
