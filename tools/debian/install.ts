import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const folders = ['/usr/bin', '/usr/sbin', '/usr/local/bin']

/**
 * Installs what is missing, where that is allowed.
 * @param packages Debian's, by a program of each: its name, or its whole path.
 * @param otherwise what else can be done.
 * @throws where it is not allowed, with what to do.
 */
export function installPackages(packages: Record<string, string>, otherwise = ''): void {
  const isThere = (program: string) =>
    program.startsWith('/') ? existsSync(program) : folders.some((folder) => existsSync(join(folder, program)))
  const names = Object.entries(packages).flatMap(([program, name]) => (isThere(program) ? [] : [name]))
  const missing = [...new Set(names)]
  if (missing.length === 0) return
  const command = ['apt-get', 'install', '-y', '--no-install-recommends', ...missing]
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    const text = `These packages of Debian are missing: ${missing.join(', ')}. As root: ${command.join(' ')}`
    throw new Error(`${text}\n${otherwise}`.trim())
  }
  process.stdout.write(`Installing ${missing.join(', ')} …\n`)
  // With a runlevel of 1 no service of theirs is started.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const options = { stdio: 'inherit' as const, env }
  execFileSync('apt-get', ['update', '-q'], options)
  execFileSync('apt-get', command.slice(1), options)
}
