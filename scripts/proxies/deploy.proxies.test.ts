import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { makeTestFolder } from '../../server/testing/data-folder.ts'

const run = promisify(execFile)
const deploy = new URL('../../deploy/', import.meta.url)
const compose = await readFile(new URL('compose.yaml', deploy), 'utf8')

/**
 * Checks a Compose file.
 * @returns the errors that Docker Compose reports.
 */
function verify(text: string): Promise<string> {
  // The Compose of Debian 12 does not support project names yet.
  const known = text.replace(/^name: .*$/m, '')
  const args = ['--file', '-', '--env-file', 'compose.env.example', 'config', '--quiet']
  const checking = run('docker-compose', args, { cwd: deploy })
  checking.child.stdin?.end(known)
  return checking.then(
    ({ stderr }) => stderr,
    ({ stderr }) => stderr,
  )
}

it('Docker Compose finds nothing wrong with its file, and would say so', async () => {
  expect(await verify(compose)).toBe('')
  expect(await verify(compose.replace('  image:', '  imagee:'))).toContain("'imagee'")
})

const folder = await makeTestFolder()
const names = ['lectern.service', 'lectern-backup.service', 'lectern-backup.timer']
const units = names.map((name) => join(folder, name))
for (const name of names) {
  const text = await readFile(new URL(name, deploy), 'utf8')
  // systemd verifies that the program exists.
  await writeFile(join(folder, name), text.replace('/opt/lectern/bin/lectern', `"${process.execPath}"`))
}

it('systemd finds nothing wrong with the units', async () => {
  const { stderr } = await run('systemd-analyze', ['verify', '--man=no', ...units])
  expect(stderr).toBe('')
})

it('systemd calls the unit’s exposure OK', async () => {
  // The threshold is in tenths; the command fails above it.
  const options = ['--offline=yes', '--threshold=20', '--no-pager']
  await run('systemd-analyze', ['security', ...options, join(folder, 'lectern.service')])
})
