import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { say } from './library.ts'

/** Installs the packages that only one benchmark needs at its first run, at the versions of their package.json. */
export function installOnce(folder: string): void {
  // npm writes this file when the installation is complete.
  if (existsSync(`${folder}node_modules/.package-lock.json`)) return
  say('Installing the packages of this benchmark …')
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund']
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 2, 2] })
}
