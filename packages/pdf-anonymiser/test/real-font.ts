import { readFileSync } from 'node:fs'
import { joinPieces, type Piece } from '../../pdfium/test/build-pdf.ts'

const folder = new URL('../standard_fonts/', import.meta.resolve('pdfjs-dist'))
const original = readFileSync(new URL('LiberationSans-Regular.ttf', folder))
const directoryStart = 12
const entrySize = 16

/** An installed font with added or replaced tables, and bytes after its end. */
export function realFont(changed: Record<string, Piece> = {}, afterEnd: Piece = ''): Buffer {
  const tables = new Map<string, Piece>()
  for (let at = directoryStart; at < directoryStart + original.readUInt16BE(4) * entrySize; at += entrySize) {
    const start = original.readUInt32BE(at + 8)
    tables.set(
      original.toString('latin1', at, at + 4),
      original.subarray(start, start + original.readUInt32BE(at + 12)),
    )
  }
  for (const [tag, data] of Object.entries(changed)) tables.set(tag, data)
  const header = Buffer.from(original.subarray(0, directoryStart))
  header.writeUInt16BE(tables.size, 4)
  const entries: Buffer[] = []
  const bodies: Buffer[] = []
  let offset = directoryStart + tables.size * entrySize
  for (const [tag, data] of tables) {
    const body = joinPieces(data)
    const entry = Buffer.alloc(entrySize)
    entry.write(tag, 'latin1')
    entry.writeUInt32BE(offset, 8)
    entry.writeUInt32BE(body.length, 12)
    const padding = Buffer.alloc((4 - (body.length % 4)) % 4)
    entries.push(entry)
    bodies.push(body, padding)
    offset += body.length + padding.length
  }
  return joinPieces(header, ...entries, ...bodies, afterEnd)
}

/** A `head` table whose creation and modification dates (two 8-byte numbers) are replaced by a text. */
export function headWithDates(text: string): Buffer {
  const start = directoryOf('head')
  const head = Buffer.from(original.subarray(start, start + 54))
  head.write(text, 20, 'latin1')
  return head
}

function directoryOf(tag: string): number {
  return original.readUInt32BE(original.indexOf(tag, directoryStart, 'latin1') + 8)
}
