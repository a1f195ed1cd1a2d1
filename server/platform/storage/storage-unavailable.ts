/**
 * A storage failure that the request did not cause. The message shows the operator what to check; it contains no
 * secret, and only the name of a library's error.
 */
export class StorageUnavailableError extends Error {
  override name = 'StorageUnavailableError'
  /** The operator has to change a setting: the failure does not pass on its own. */
  readonly isMisconfigured: boolean

  constructor(message: string, { isMisconfigured = false } = {}) {
    super(message)
    this.isMisconfigured = isMisconfigured
  }
}

// The disk is full, over quota, read-only or broken, or too many files are open: the request is not at fault.
const awayCodes = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE'])

export const isAwayCode = (code: string): boolean => awayCodes.has(code)

/** True when storing or reading failed because of the storage's state, and succeeds once that is repaired. */
export function isStorageUnavailable(error: unknown): boolean {
  if (error instanceof StorageUnavailableError) return true
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && isAwayCode(error.code)
}
