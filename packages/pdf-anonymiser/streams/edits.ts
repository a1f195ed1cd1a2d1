import { PdfRejectedError } from '../syntax/values.ts'

type Edit = { start: number; end: number; by: Uint8Array }

/** The limit for replacements that a later one may still cover, which are few in ordinary instructions. */
const maxUnsettled = 100_000

/**
 * Replacements in bytes that are read once from front to back. A replacement that covers earlier ones supersedes them.
 */
export class Edits {
  private readonly source: Uint8Array
  private readonly unsettled: Edit[] = []
  private copied = 0
  private out: Uint8Array
  private size = 0

  constructor(source: Uint8Array) {
    this.source = source
    this.out = new Uint8Array(source.length)
  }

  replace(start: number, end: number, by: Uint8Array = new Uint8Array()): void {
    while ((this.unsettled.at(-1)?.start ?? -1) >= start) this.unsettled.pop()
    if (this.unsettled.push({ start, end, by }) > maxUnsettled) throw new PdfRejectedError('too much to replace')
  }

  /** Declares that no later replacement begins before the end of the current ones. */
  settle(): void {
    for (const { start, end, by } of this.unsettled) {
      this.append(this.source.subarray(this.copied, start))
      this.append(by)
      this.copied = end
    }
    this.unsettled.length = 0
  }

  apply(): Uint8Array {
    this.settle()
    this.append(this.source.subarray(this.copied))
    this.copied = this.source.length
    return this.out.subarray(0, this.size)
  }

  private append(bytes: Uint8Array): void {
    if (this.size + bytes.length > this.out.length) {
      const larger = new Uint8Array((this.size + bytes.length) * 2)
      larger.set(this.out)
      this.out = larger
    }
    this.out.set(bytes, this.size)
    this.size += bytes.length
  }
}
