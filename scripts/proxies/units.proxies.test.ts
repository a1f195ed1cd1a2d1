import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

const run = promisify(execFile)
let folder = ''
let unit = ''
let units: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-unit-'))
  const names = ['lectern.service', 'lectern-backup.service', 'lectern-backup.timer']
  units = names.map((name) => join(folder, name))
  unit = units[0] ?? ''
  for (const name of names) {
    const text = await readFile(new URL(`../../deploy/${name}`, import.meta.url), 'utf8')
    // systemd verifies that the program exists.
    await writeFile(join(folder, name), text.replace('/opt/lectern/bin/lectern', `"${process.execPath}"`))
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('systemd finds nothing wrong with the units', async () => {
  const { stderr } = await run('systemd-analyze', ['verify', '--man=no', ...units])
  expect(stderr).toBe('')
})

it('systemd calls the unit’s exposure OK', async () => {
  // The threshold is in tenths; the command fails above it.
  await run('systemd-analyze', ['security', '--offline=yes', '--threshold=20', '--no-pager', unit])
})
