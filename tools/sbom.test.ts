import { exec } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))
type Component = { name: string; version: string; hashes?: { alg: string; content: string }[] }

it('names every package of the lock file with its version, and the hash of each that has one there', async () => {
  const { stdout } = await promisify(exec)('npm run --silent sbom', { cwd: root, maxBuffer: 2 ** 26 })
  const bill: { bomFormat: string; components: Component[] } = JSON.parse(stdout)
  expect(bill.bomFormat).toBe('CycloneDX')
  const listed = bill.components.map(({ name, version }) => `${name}@${version}`)
  const { packages } = JSON.parse(await readFile(`${root}package-lock.json`, 'utf8'))
  const locked = Object.entries<{ version: string; integrity?: string }>(packages)
    .filter(([path]) => path !== '')
    .map(([path, { version, integrity }]) => ({ name: `${path.split('node_modules/').at(-1)}@${version}`, integrity }))
  const names = (all: { name: string }[]) => [...new Set(all.map(({ name }) => name))].sort()
  expect([...new Set(listed)].sort()).toEqual(names(locked))
  const hashed = bill.components.filter(({ hashes }) => hashes?.[0]?.alg === 'SHA-512').length
  expect(hashed).toBe(names(locked.filter(({ integrity }) => integrity !== undefined)).length)
})
