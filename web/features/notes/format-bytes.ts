const units = ['bytes', 'kB', 'MB', 'GB'] as const

/** Formats a size in steps of 1,024, as the size limit counts: `812 bytes`, `1.4 MB`, `25 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  // The limit is half a step lower, because 1,023.9 kB would be shown as 1,024 kB.
  while (value >= 1023.5 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  const digits = unit > 1 && value < 9.95 ? 1 : 0
  return `${value.toFixed(digits)} ${units[unit]}`
}
