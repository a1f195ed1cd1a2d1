import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const folders = ['/usr/bin', '/usr/sbin', '/usr/local/bin']

/**
 * Installs what is missing of Debian's packages, where that is allowed.
 * @param packages by a program of each.
 * @throws where it is not, with what to do.
 */
export function installPackages(packages: Record<string, string>, otherwise = ''): void {
  const missing = Object.entries(packages).flatMap(([program, name]) =>
    folders.some((folder) => existsSync(join(folder, program))) ? [] : [name],
  )
  if (missing.length === 0) return
  const command = ['apt-get', 'install', '-y', '--no-install-recommends', ...missing]
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new Error(
      `These packages of Debian are missing: ${missing.join(', ')}. As root: ${command.join(' ')}\n${otherwise}`.trim(),
    )
  }
  process.stdout.write(`Installing ${missing.join(', ')} …\n`)
  // With a runlevel of 1 no service of theirs is started.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  execFileSync('apt-get', ['update', '-q'], { stdio: 'inherit', env })
  execFileSync('apt-get', command.slice(1), { stdio: 'inherit', env })
}
