import { isRegular } from './lexer.ts'
import { PdfName, PdfRef, PdfStream, PdfString, type PdfValue } from './values.ts'

/**
 * Collects the objects of a new file and writes it: a header, the objects, one table, and a trailer with only a root.
 */
export class PdfWriter {
  private readonly objects: PdfValue[] = [null]

  /** Reserves a reference for `set`. If it is never set, it refers to null. */
  reserve(): PdfRef {
    this.objects.push(null)
    return new PdfRef(this.objects.length - 1)
  }

  get(ref: PdfRef): PdfValue {
    return this.objects[ref.number] ?? null
  }

  /** Returns the value itself, or the target of a reference. */
  resolve(value: PdfValue | undefined): PdfValue {
    return value instanceof PdfRef ? this.get(value) : (value ?? null)
  }

  set(ref: PdfRef, value: PdfValue): void {
    this.objects[ref.number] = value
  }

  add(value: PdfValue): PdfRef {
    const ref = this.reserve()
    this.set(ref, value)
    return ref
  }

  /** Objects that were added but are unreachable are not written. */
  private findReached(root: PdfRef): Set<number> {
    const reached = new Set([root.number])
    for (const number of reached) for (const next of referencesIn(this.objects[number] ?? null)) reached.add(next)
    return reached
  }

  /** Returns the numbers of objects from which a target can be reached, including the targets. Paths stop at `ends`. */
  findLeadingTo(targets: ReadonlySet<PdfValue>, ends: ReadonlySet<number>): Set<number> {
    const leading = new Set<number>()
    const referrers = new Map<number, number[]>()
    for (const [number, value] of this.objects.entries()) {
      if (targets.has(value)) leading.add(number)
      for (const next of referencesIn(value)) {
        const known = referrers.get(next)
        if (known) known.push(number)
        else referrers.set(next, [number])
      }
    }
    for (const number of leading)
      if (!ends.has(number)) for (const referrer of referrers.get(number) ?? []) leading.add(referrer)
    return leading
  }

  /** Returns the bytes of the file. It contains no author, producer, date or id, so equal pages give equal bytes. */
  toBytes(root: PdfRef): Uint8Array {
    const parts: Uint8Array[] = []
    let size = 0
    const push = (bytes: Uint8Array) => {
      parts.push(bytes)
      size += bytes.length
    }
    push(Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1'))
    const entries: string[] = []
    const reached = this.findReached(root)
    for (const [number, value] of this.objects.entries()) {
      if (!reached.has(number)) {
        entries.push('0000000000 65535 f \n')
        continue
      }
      entries.push(`${String(size).padStart(10, '0')} 00000 n \n`)
      if (value instanceof PdfStream) {
        value.dict.set('Length', value.data.length)
        push(Buffer.from(`${number} 0 obj\n${formatValue(value.dict)}\nstream\n`, 'latin1'))
        push(value.data)
        push(Buffer.from('\nendstream\nendobj\n', 'latin1'))
      } else push(Buffer.from(`${number} 0 obj\n${formatValue(value)}\nendobj\n`, 'latin1'))
    }
    const count = this.objects.length
    const trailer = `trailer\n<</Root ${root.number} 0 R/Size ${count}>>\nstartxref\n${size}\n%%EOF\n`
    push(Buffer.from(`xref\n0 ${count}\n${entries.join('')}${trailer}`, 'latin1'))
    const file = new Uint8Array(size)
    let at = 0
    for (const part of parts) {
      file.set(part, at)
      at += part.length
    }
    return file
  }
}

/** Lists the numbers of the objects that a value refers to directly, at any depth of nesting. */
export function* referencesIn(value: PdfValue): Generator<number> {
  if (value instanceof PdfRef) yield value.number
  else if (value instanceof PdfStream) yield* referencesIn(value.dict)
  else if (Array.isArray(value)) for (const item of value) yield* referencesIn(item)
  else if (value instanceof Map) for (const item of value.values()) yield* referencesIn(item)
}

export function formatValue(value: PdfValue): string {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return formatNumber(value)
  if (value instanceof PdfName) return formatName(value.text)
  if (value instanceof PdfString) return `<${Buffer.from(value.bytes).toString('hex')}>`
  if (value instanceof PdfRef) return `${value.number} 0 R`
  if (value instanceof PdfStream) throw new Error('a stream must stand on its own')
  if (Array.isArray(value)) return `[${value.map(formatValue).join(' ')}]`
  return `<<${[...value].map(([key, entry]) => `${formatName(key)} ${formatValue(entry)}`).join('\n')}>>`
}

/** PDF has no exponent notation. */
function formatNumber(value: number): string {
  const text = String(value)
  return text.includes('e') ? value.toFixed(12) : text
}

function formatName(text: string): string {
  let out = '/'
  for (const character of text) {
    const code = character.charCodeAt(0)
    const plain = code > 32 && code < 127 && code !== 0x23 && isRegular(code)
    out += plain ? character : `#${code.toString(16).padStart(2, '0')}`
  }
  return out
}
