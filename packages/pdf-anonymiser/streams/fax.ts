import { PdfRejectedError } from '../syntax/values.ts'
import { endOfLine, modeCodes, runCodes, runLength } from './fax-codes.ts'

type FaxFormat = {
  /**
   * Below 0 every row is coded relative to the one above, at 0 none is, and above 0 a bit decides (ISO 32000-1, table
   * 11).
   */
  k: number
  columns: number
  /** Whether each row begins at a byte boundary. */
  isAligned: boolean
}

/** The positions where the colour of a row changes, starting with the first black pixel. */
type Row = number[]

const maxCodeBits = 13
/** Indexes codes by their next 13 bits. An entry holds a value and its number of bits; 0 marks an invalid code. */
function buildTable(codes: string[]): Uint32Array {
  const table = new Uint32Array(1 << maxCodeBits)
  for (const [value, code] of codes.entries()) {
    const first = Number.parseInt(code.padEnd(maxCodeBits, '0'), 2)
    table.fill(value * 16 + code.length, first, first + (1 << (maxCodeBits - code.length)))
  }
  return table
}
const runTables = runCodes.map(buildTable)
const passMode = 7
const horizontalMode = 8
const modeTable = buildTable([...modeCodes.vertical, modeCodes.pass, modeCodes.horizontal])

/**
 * Decodes fax data of any coding and encodes only the visible pixels in ITU-T T.6, without anything after the end.
 * @returns data of `columns` by at most `height` pixels, to be read with K -1.
 */
export function cleanFax(data: Uint8Array, format: FaxFormat, width: number, height: number): Uint8Array {
  const maxSide = 65_535
  if (!(format.columns >= 1 && format.columns <= maxSide && height <= maxSide))
    throw new PdfRejectedError('oversized fax')
  const writer = new RowWriter(format.columns)
  for (const row of readRows(data, format, height)) {
    const shown = row.filter((change) => change < width)
    writer.write(shown.length % 2 === 1 && width < format.columns ? [...shown, width] : shown)
  }
  return writer.end()
}

function* readRows(data: Uint8Array, { k, columns, isAligned }: FaxFormat, height: number): Generator<Row> {
  const bits = new BitReader(data)
  let above: Row = []
  for (let count = 0; count < height; count++) {
    if (isAligned) bits.align()
    const ends = k < 0 ? Number(bits.skipEndOfLine()) * 2 : bits.skipEndsOfLines()
    if (ends > 1 || bits.left < 1) return
    const isFromAbove = k < 0 || (k > 0 && bits.take(1) === 0)
    const row = isFromAbove ? readRowFromAbove(bits, above, columns) : readPlainRow(bits, columns)
    if (!row) return
    yield row
    above = row
  }
}

/** Returns null when the data ends within the row. */
function readPlainRow(bits: BitReader, columns: number): Row | null {
  const row: Row = []
  let colour = 0
  for (let at = 0; at < columns; colour = 1 - colour) {
    const run = bits.takeRun(colour)
    if (run === null) return null
    at += run
    addChange(row, at)
  }
  return row.filter((change) => change < columns)
}

/**
 * Returns the index of the first change to the other colour right of `at` in the row above. The search starts at the
 * previous index and can move back a little.
 */
function nextChange(above: Row, from: number, at: number, colour: number): number {
  let next = from
  while (next > 0 && (above[next - 1] ?? Number.POSITIVE_INFINITY) > at) next--
  while (next < above.length && (above[next] ?? 0) <= at) next++
  return next % 2 === colour ? next : next + 1
}

function readRowFromAbove(bits: BitReader, above: Row, columns: number): Row | null {
  const row: Row = []
  let at = -1
  let colour = 0
  let next = 0
  while (at < columns) {
    next = nextChange(above, next, at, colour)
    const change = above[next] ?? columns
    const mode = bits.takeCode(modeTable)
    if (mode === null) return null
    if (mode === passMode) at = above[next + 1] ?? columns
    else if (mode === horizontalMode) {
      for (const runColour of [colour, 1 - colour]) {
        const run = bits.takeRun(runColour)
        if (run === null) return null
        at = Math.max(at, 0) + run
        addChange(row, at)
      }
    } else {
      const place = change + mode - 3
      if (place < Math.max(at, 0)) throw new PdfRejectedError('damaged fax')
      at = place
      addChange(row, at)
      colour = 1 - colour
    }
  }
  return row.filter((change) => change < columns)
}

/** Two changes at the same position cancel each other. */
function addChange(row: Row, at: number): void {
  if (row.at(-1) === at) row.pop()
  else row.push(at)
}

class BitReader {
  private readonly data: Uint8Array
  private at = 0

  constructor(data: Uint8Array) {
    this.data = data
  }

  get left(): number {
    return this.data.length * 8 - this.at
  }

  align(): void {
    this.at = Math.ceil(this.at / 8) * 8
  }

  take(count: number): number {
    const value = this.peek(count)
    this.at += count
    return value
  }

  /** Returns null at the end of the data, even within a code. */
  takeCode(table: Uint32Array): number | null {
    const found = table[this.peek(maxCodeBits)] ?? 0
    const length = found % 16
    // Trailing zeros and a line feed are not damage.
    if (length > this.left || (length === 0 && this.left < 24)) return null
    if (length === 0) throw new PdfRejectedError('damaged fax')
    this.at += length
    return (found - length) / 16
  }

  takeRun(colour: number): number | null {
    for (let run = 0; ; ) {
      const code = this.takeCode(runTables[colour] ?? new Uint32Array())
      if (code === null) return null
      run += runLength(code)
      if (code < 64) return run
    }
  }

  /** Skips at least eleven zeros and a one. */
  skipEndOfLine(): boolean {
    let zeros = 0
    while (zeros < this.left && this.peekAt(zeros) === 0) zeros++
    if (zeros < endOfLine.length - 1 || zeros >= this.left) return false
    this.at += zeros + 1
    return true
  }

  skipEndsOfLines(): number {
    let count = 0
    while (count < 2 && this.skipEndOfLine()) count++
    return count
  }

  private peekAt(offset: number): number {
    const at = this.at + offset
    return ((this.data[at >> 3] ?? 0) >> (7 - (at & 7))) & 1
  }

  /** Returns up to 24 bits, with zeros past the end. */
  private peek(count: number): number {
    const byte = this.at >> 3
    const [a = 0, b = 0, c = 0, d = 0] = [
      this.data[byte],
      this.data[byte + 1],
      this.data[byte + 2],
      this.data[byte + 3],
    ]
    return (((a << 24) | (b << 16) | (c << 8) | d) << (this.at & 7)) >>> (32 - count)
  }
}

class RowWriter {
  private readonly columns: number
  private readonly bits = new BitWriter()
  private above: Row = []

  constructor(columns: number) {
    this.columns = columns
  }

  write(row: Row): void {
    const { above, columns, bits } = this
    let at = -1
    let colour = 0
    let own = 0
    let next = 0
    while (at < columns) {
      next = nextChange(above, next, at, colour)
      const change = above[next] ?? columns
      const afterChange = above[next + 1] ?? columns
      const end = row[own] ?? columns
      const vertical = modeCodes.vertical[end - change + 3]
      if (afterChange < end) {
        bits.put(modeCodes.pass)
        at = afterChange
      } else if (vertical !== undefined) {
        bits.put(vertical)
        at = end
        colour = 1 - colour
        own++
      } else {
        const afterEnd = row[own + 1] ?? columns
        bits.put(modeCodes.horizontal)
        bits.putRun(end - Math.max(at, 0), colour)
        bits.putRun(afterEnd - end, 1 - colour)
        at = afterEnd
        own += 2
      }
    }
    this.above = row
  }

  end(): Uint8Array {
    this.bits.put(endOfLine)
    this.bits.put(endOfLine)
    return this.bits.toBytes()
  }
}

class BitWriter {
  private bytes = new Uint8Array(1024)
  private size = 0

  put(code: string): void {
    const needed = (this.size + code.length) >> 3
    if (needed >= this.bytes.length) {
      const larger = new Uint8Array(this.bytes.length * 2)
      larger.set(this.bytes)
      this.bytes = larger
    }
    for (let at = 0; at < code.length; at++, this.size++) {
      const byte = this.size >> 3
      if (code[at] === '1') this.bytes[byte] = (this.bytes[byte] ?? 0) | (128 >> (this.size & 7))
    }
  }

  putRun(length: number, colour: number): void {
    const codes = runCodes[colour] ?? []
    let left = length
    for (; left >= 2560; left -= 2560) this.put(codes.at(-1) ?? '')
    if (left >= 64) this.put(codes[63 + (left >> 6)] ?? '')
    this.put(codes[left & 63] ?? '')
  }

  toBytes(): Uint8Array {
    return this.bytes.subarray(0, Math.ceil(this.size / 8))
  }
}
