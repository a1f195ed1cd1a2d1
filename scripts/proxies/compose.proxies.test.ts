import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

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
  const checking = promisify(execFile)('docker-compose', args, { cwd: deploy })
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
