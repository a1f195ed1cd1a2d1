import { readFileSync } from 'node:fs'

/** Of this Lectern, in the repository and in the package. */
export const version: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version

/** Of two versions such as `0.10.0`. */
export const isOlder = (one: string, other: string): boolean => one.localeCompare(other, 'en', { numeric: true }) < 0
