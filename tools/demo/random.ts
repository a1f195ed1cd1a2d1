/** Pseudo-random numbers: the same seed gives the same series. */

export function createRandom(seed: string) {
  /** In [0, 1). */
  const next = mulberry32(hashSeed(seed))
  /** A whole number from `min` to `max`, both included. */
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    int,
    chance: (probability: number): boolean => next() < probability,
    pick<T>(items: readonly T[]): T {
      if (items.length === 0) throw new Error('Nothing to pick from')
      return items[int(0, items.length - 1)] as T
    },
    /** An index drawn in proportion to the weights. */
    weighted(weights: readonly number[]): number {
      let left = next() * weights.reduce((sum, weight) => sum + weight, 0)
      return weights.findIndex((weight) => {
        left -= weight
        return left < 0
      })
    },
    /** A new list in another order. */
    shuffle<T>(items: readonly T[]): T[] {
      const placed = items.map((item) => ({ item, at: next() }))
      return placed.sort((a, b) => a.at - b.at).map(({ item }) => item)
    },
  }
}

/** FNV-1a. */
function hashSeed(seed: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(seed)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
