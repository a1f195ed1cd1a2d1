import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const folders = ['/usr/bin', '/usr/sbin', '/usr/local/bin']

/**
 * Installs what tests need of Debian's packages, where that is allowed.
 * @param packages by a program of each.
 * @param otherwise what else may be done where it is not.
 * @throws there, with what to do.
 */
export function installPackages(packages: Record<string, string>, otherwise = ''): void {
  const missing = Object.entries(packages).flatMap(([program, name]) =>
    folders.some((folder) => existsSync(join(folder, program))) ? [] : [name],
  )
  if (missing.length === 0) return
  const command = ['apt-get', 'install', '-y', '--no-install-recommends', ...missing]
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    const text = `These packages of Debian are missing: ${missing.join(', ')}. As root: ${command.join(' ')}`
    throw new Error(otherwise ? `${text}\n${otherwise}` : text)
  }
  process.stdout.write(`Installing ${missing.join(', ')} …\n`)
  const options = { stdio: 'inherit' as const, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  execFileSync('apt-get', ['update', '-q'], options)
  execFileSync('apt-get', command.slice(1), options)
}
