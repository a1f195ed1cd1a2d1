import { readFileSync } from 'node:fs'

/** Of this Lectern. */
export const packageVersion: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version
