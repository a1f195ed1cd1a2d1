/** The same numbers in every run, so that the same library is compared with itself. */
export function createRandom(seed: number) {
  let state = seed
  /** Mulberry32: at least 0, less than 1. */
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (below: number) => Math.floor(next() * below)
  const pick = <T>(values: readonly T[]): T => values[int(values.length)] as T
  return { next, int, pick }
}
export type Random = ReturnType<typeof createRandom>
