import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { digestInChunks, sha256Of } from './hash-file.ts'

it.each([0, 1, 2 ** 20, 2.5 * 2 ** 20])('is the same with and without the browser’s help: %i bytes', async (size) => {
  const content = new Uint8Array(size).map((_, at) => at % 251)
  const digits = createHash('sha256').update(content).digest('hex')
  expect(await sha256Of(content.buffer)).toBe(digits)
  expect(Buffer.from(await digestInChunks(content.buffer)).toString('hex')).toBe(digits)
})
