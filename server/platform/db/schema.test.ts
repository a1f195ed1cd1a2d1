import { expect, inject, it } from 'vitest'
import { generateSchema } from '../../../scripts/generate-schema.ts'
import { createDatabase, templateName } from '../../testing/database.ts'

it('describes the tables as schema.sql makes them', async () => {
  const url = await createDatabase(inject('postgresUrl'), 'lectern_schema', templateName)
  expect(() => generateSchema(url, { verify: true })).not.toThrow()
})
