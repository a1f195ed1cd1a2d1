import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** What only one bench needs comes with its own lock file, at the first run. Its packages run nothing while they are installed. */
export function installOnce(folder: string, name: string, say: (text: string) => void): void {
  // npm writes it when all is there.
  if (existsSync(`${folder}node_modules/.package-lock.json`)) return
  say(`Installing ${name} …`)
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 2, 2] })
}
