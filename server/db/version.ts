import { readFileSync } from 'node:fs'
import lt from 'semver/functions/lt.js'
import parse from 'semver/functions/parse.js'

/** Of this Lectern, in the repository and in the package. */
export const version: string = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version

/** Of two versions such as `0.10.0` and `1.0.0-rc.1`, which comes before `1.0.0`. */
export const isOlder = (one: string, other: string): boolean => lt(one, other)

/** Whether the other is of the minor release that follows this one, such as `1.3.1` of `1.2.0`. */
export function isNextRelease(one: string, other: string): boolean {
  const [from, to] = [parse(one), parse(other)]
  return from !== null && to !== null && to.major === from.major && to.minor === from.minor + 1
}
