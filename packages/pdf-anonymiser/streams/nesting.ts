const endOf: Record<string, 'Q' | 'EMC'> = { q: 'Q', BMC: 'EMC', BDC: 'EMC' }

/**
 * The graphics states that a description has saved and the marked content it has begun. It must end what it began,
 * for something can be drawn behind it; an end without a beginning does nothing in readers, unless it is drawn within another.
 */
export class Nesting {
  private readonly open = { Q: 0, EMC: 0 }

  /** @returns false for an end without a beginning. */
  follow(operator: string): boolean {
    const end = endOf[operator]
    if (end) this.open[end]++
    if (operator !== 'Q' && operator !== 'EMC') return true
    if (this.open[operator] === 0) return false
    this.open[operator]--
    return true
  }

  /** What ends all that is still open. */
  formatEnds(): string {
    return ' EMC'.repeat(this.open.EMC) + ' Q'.repeat(this.open.Q)
  }
}
