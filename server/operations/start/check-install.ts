import { readFileSync } from 'node:fs'
import { createRequire, findPackageJSON } from 'node:module'
import { ConfigError } from '../../config.ts'

/** Reports a missing part of Lectern, which another start would not fix. */
export const incompleteInstallError = (reason: string): ConfigError =>
  new ConfigError(
    `The installation is incomplete (${reason}). npm silently skips dependencies on Node older than 20.9. Check node --version and reinstall with a newer Node.`,
  )

/**
 * sharp is loaded only with the first image, so a missing system part would otherwise be reported late.
 * @throws ConfigError
 */
export function assertCompleteInstall(): void {
  const manifest = findPackageJSON('sharp', import.meta.url)
  if (!manifest) throw incompleteInstallError('sharp is missing')
  const { optionalDependencies } = JSON.parse(readFileSync(manifest, 'utf8'))
  const { resolve } = createRequire(manifest)
  const exists = (part: string) => {
    try {
      return resolve(`${part}/sharp.node`) !== ''
    } catch {
      return false
    }
  }
  if (!Object.keys(optionalDependencies).some(exists))
    throw incompleteInstallError('sharp has no binary for this system')
}
