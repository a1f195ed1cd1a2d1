type Edit = { start: number; end: number; by: Uint8Array }

/** Replacements in bytes that are read once from front to back. One that covers earlier ones takes their place. */
export class Edits {
  private readonly source: Uint8Array
  private readonly edits: Edit[] = []

  constructor(source: Uint8Array) {
    this.source = source
  }

  replace(start: number, end: number, by: Uint8Array = new Uint8Array()): void {
    while ((this.edits.at(-1)?.start ?? -1) >= start) this.edits.pop()
    this.edits.push({ start, end, by })
  }

  apply(): Uint8Array {
    const parts: Uint8Array[] = []
    let copied = 0
    for (const { start, end, by } of this.edits) {
      parts.push(this.source.subarray(copied, start), by)
      copied = end
    }
    parts.push(this.source.subarray(copied))
    return Buffer.concat(parts)
  }
}
