import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { makeTestFolder } from '../../server/testing/data-folder.ts'

const run = promisify(execFile)
const folder = await makeTestFolder()
const names = ['lectern.service', 'lectern-backup.service', 'lectern-backup.timer']
const units = names.map((name) => join(folder, name))
for (const name of names) {
  const text = await readFile(new URL(`../../deploy/${name}`, import.meta.url), 'utf8')
  // systemd verifies that the program exists.
  await writeFile(join(folder, name), text.replace('/opt/lectern/bin/lectern', `"${process.execPath}"`))
}

it('systemd finds nothing wrong with the units', async () => {
  const { stderr } = await run('systemd-analyze', ['verify', '--man=no', ...units])
  expect(stderr).toBe('')
})

it('systemd calls the unit’s exposure OK', async () => {
  // The threshold is in tenths; the command fails above it.
  await run('systemd-analyze', [
    'security',
    '--offline=yes',
    '--threshold=20',
    '--no-pager',
    join(folder, 'lectern.service'),
  ])
})
