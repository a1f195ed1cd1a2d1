import type { ByteRange } from '../../platform/storage/storage.ts'

/**
 * Parses a Range header (RFC 9110, section 14). Returns null, which means the whole file, for no range, a malformed one
 * or several separate ones; ranges that touch are joined.
 */
export function readByteRange(header: string | undefined, fileBytes: number): ByteRange | 'unsatisfiable' | null {
  const list = /^bytes=(.+)$/i.exec(header ?? '')?.[1]
  if (list === undefined) return null
  let joined: ByteRange | null = null
  for (const spec of list.split(',')) {
    const [, first = '', last = ''] = /^\s*(\d*)-(\d*)\s*$/.exec(spec) ?? []
    if (first === '' && last === '') return null
    // A suffix such as `-500` may be longer than the file.
    const start = first === '' ? Math.max(0, fileBytes - Number(last)) : Number(first)
    const end = first === '' || last === '' ? fileBytes - 1 : Math.min(Number(last), fileBytes - 1)
    if (start > end) continue
    if (joined && (start > joined.end + 1 || end < joined.start - 1)) return null
    joined = joined ? { start: Math.min(start, joined.start), end: Math.max(end, joined.end) } : { start, end }
  }
  return joined ?? 'unsatisfiable'
}
