/**
 * A storage that cannot do what it should, by no fault of the request. The message says to an operator what to look at; it
 * holds no secret, and nothing of a library's error but its name.
 */
export class StorageUnavailableError extends Error {
  override name = 'StorageAway'
  /** Somebody has to change a setting: it will not pass by itself. */
  readonly isSetting: boolean

  constructor(message: string, { isSetting = false } = {}) {
    super(message)
    this.isSetting = isSetting
  }
}

// Full, over quota, read-only, broken, or too many open files: nothing is wrong with the request.
const awayCodes = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE'])

export const isAwayCode = (code: string): boolean => awayCodes.has(code)

/** True when storing or reading failed because of the storage's state, and would succeed once somebody mends it. */
export function isStorageUnavailable(error: unknown): boolean {
  if (error instanceof StorageUnavailableError) return true
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && isAwayCode(error.code)
}
