import { PdfTooCostly } from '../syntax/values.ts'

/** What may still be unpacked. Every byte that comes out of a filter counts, also of one that another filter follows. */
export class Budget {
  private left: number
  private readonly maxPerStep: number

  constructor(maxBytes: number, maxPerStep = maxBytes) {
    this.left = maxBytes
    this.maxPerStep = maxPerStep
  }

  /** How much the next filter may give. */
  get room(): number {
    return Math.min(this.left, this.maxPerStep)
  }

  spend(bytes: number): void {
    this.left -= bytes
    if (this.left < 0) throw new PdfTooCostly('too much to unpack')
  }
}
