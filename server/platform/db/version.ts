import { readFileSync } from 'node:fs'

/** Of this Lectern, in the repository and in the package. */
export const version: string = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
).version

const byNumbers = new Intl.Collator('en', { numeric: true })
/** The release comes after all that lead to it, such as `1.0.0-rc.1`. */
const endOf = (version: string) => (version.includes('-') ? version : `${version}-zz`)

/** Of two versions such as `0.10.0` and `1.0.0-rc.1`, which comes before `1.0.0`. */
export const isOlder = (one: string, other: string): boolean => byNumbers.compare(endOf(one), endOf(other)) < 0

/** Whether the other is of the minor release that follows this one, such as `1.3.1` of `1.2.0`. */
export function isNextRelease(one: string, other: string): boolean {
  const [major, minor] = one.split('.')
  return other.startsWith(`${major}.${Number(minor) + 1}.`)
}
