/** Returns `a`, `a and b` or `a, b and c`; a longer list ends with `and 12 more`. */
export function listSome(names: string[], maxNamed = 6): string {
  const shown = names.slice(0, maxNamed)
  if (names.length > maxNamed) shown.push(`${names.length - maxNamed} more`)
  const last = shown.pop() ?? ''
  return shown.length === 0 ? last : `${shown.join(', ')} and ${last}`
}
