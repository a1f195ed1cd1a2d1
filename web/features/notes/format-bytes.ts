const units = ['bytes', 'kB', 'MB', 'GB'] as const

/** A size as a person reads it, in the steps of 1,024 that the size limit counts in: `812 bytes`, `1.4 MB`, `25 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  // Half a step early: 1,023.9 kB would read as 1,024 kB.
  while (value >= 1023.5 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  const digits = unit > 1 && value < 9.95 ? 1 : 0
  return `${value.toFixed(digits)} ${units[unit]}`
}
