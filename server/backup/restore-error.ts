/** What a restore is refused for, or what is wrong with its archive; for the operator. */
export class RestoreError extends Error {
  override name = 'RestoreError'
}
