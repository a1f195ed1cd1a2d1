import { readFileSync } from 'node:fs'
import lt from 'semver/functions/lt.js'

/** Of this Lectern, in the repository and in the package. */
export const version: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version

/** Of two versions such as `0.10.0` and `1.0.0-rc.1`, which comes before `1.0.0`. */
export const isOlder = (one: string, other: string): boolean => lt(one, other)
