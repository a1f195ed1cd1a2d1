// Full, over quota, read-only, broken, or too many open files: nothing is wrong with the request.
const awayCodes = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE'])

/** True when storing or reading failed because of the storage's state, and would succeed once somebody mends it. */
export function isStorageAway(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && awayCodes.has(error.code)
}
