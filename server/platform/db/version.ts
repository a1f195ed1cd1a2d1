import { readFileSync } from 'node:fs'

/** The version of this Lectern, in the repository and in the package. */
export const version: string = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
).version

const byNumbers = new Intl.Collator('en', { numeric: true })
/** A release comes after its pre-releases, such as `1.0.0-rc.1`. */
const endOf = (version: string) => (version.includes('-') ? version : `${version}-zz`)

/** Compares versions such as `0.10.0` and `1.0.0-rc.1`, which is older than `1.0.0`. */
export const isOlder = (one: string, other: string): boolean => byNumbers.compare(endOf(one), endOf(other)) < 0

/** Whether the other version belongs to the next minor release, such as `1.3.1` after `1.2.0`. */
export function isNextRelease(one: string, other: string): boolean {
  const [major, minor] = one.split('.')
  return other.startsWith(`${major}.${Number(minor) + 1}.`)
}
