import { readFileSync } from 'node:fs'
import { createRequire, findPackageJSON } from 'node:module'
import { ConfigError } from '../../config.ts'

/** Reports a missing part of Lectern, which another start would not fix. */
export const incompleteInstallError = (reason: string): ConfigError =>
  new ConfigError(
    `Lectern is not installed whole (${reason}). npm leaves parts out, without a word, where it runs on a Node older than 20.9: look at node --version, and install Lectern again with a newer one.`,
  )

/**
 * sharp is loaded only with the first image, so a missing system part would otherwise be reported late.
 * @throws ConfigError
 */
export function assertCompleteInstall(): void {
  const manifest = findPackageJSON('sharp', import.meta.url)
  if (!manifest) throw incompleteInstallError('there is no sharp')
  const { optionalDependencies } = JSON.parse(readFileSync(manifest, 'utf8'))
  const { resolve } = createRequire(manifest)
  const isThere = (part: string) => {
    try {
      return resolve(`${part}/sharp.node`) !== ''
    } catch {
      return false
    }
  }
  if (!Object.keys(optionalDependencies).some(isThere))
    throw incompleteInstallError('sharp lacks its part for this system')
}
