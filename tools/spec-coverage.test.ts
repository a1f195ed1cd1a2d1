import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))
const page = await readFile(`${root}docs/spec-coverage.md`, 'utf8')
const proofs = [...page.matchAll(/`([\w./-]+\.(?:test|spec)\.ts)` “([^”]+)”/g)].map(([, file = '', title = '']) => ({
  file,
  title,
}))

it('names proofs', () => {
  expect(proofs.length).toBeGreaterThan(60)
})

it.each(proofs)('$file has “$title”', async ({ file, title }) => {
  expect(await readFile(root + file, 'utf8')).toContain(title)
})
