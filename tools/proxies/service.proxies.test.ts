import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

const run = promisify(execFile)
let folder = ''
let unit = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-unit-'))
  unit = join(folder, 'lectern.service')
  const text = await readFile(new URL('../../deploy/lectern.service', import.meta.url), 'utf8')
  // What it starts has to be there to be verified.
  await writeFile(unit, text.replace('/opt/lectern/bin/lectern', process.execPath))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('systemd finds nothing wrong with the unit', async () => {
  const { stderr } = await run('systemd-analyze', ['verify', '--man=no', unit])
  expect(stderr).toBe('')
})

it('systemd calls the unit’s exposure OK', async () => {
  // As a number of tenths, beyond which it ends badly.
  await run('systemd-analyze', ['security', '--offline=yes', '--threshold=20', '--no-pager', unit])
})
