/** Generates pseudo-random numbers (Mulberry32): the same seed gives the same series. */
export function createRandom(seed: number) {
  let state = seed
  /** Returns a number from 0 to less than 1. */
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const pick = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T
  return { next, pick, chance: (probability: number) => next() < probability }
}
