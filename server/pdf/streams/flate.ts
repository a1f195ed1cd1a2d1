import { constants, createInflate, inflateSync } from 'node:zlib'
import { PdfRefused } from '../syntax/values.ts'

/** Data that is cut short is no error: what there is counts, as in readers. */
const finishFlush = constants.Z_SYNC_FLUSH

/** Unpacks deflated data; of damaged data as much as precedes the damage. Raises `PdfRefused` past `maxBytes`. */
export async function inflate(data: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  try {
    return inflateSync(data, { finishFlush, maxOutputLength: Math.max(1, maxBytes) })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') {
      throw new PdfRefused('oversized stream')
    }
  }
  const pieces: Buffer[] = []
  let size = 0
  try {
    // Small pieces, since the one in which the damage shows is lost.
    for await (const piece of pipeThrough(createInflate({ finishFlush, chunkSize: 64 }), data)) {
      size += piece.length
      if (size > maxBytes) throw new PdfRefused('oversized stream')
      pieces.push(piece)
    }
  } catch (error) {
    if (error instanceof PdfRefused) throw error
  }
  return Buffer.concat(pieces)
}

/**
 * Where deflated data ends, found by unpacking it piece by piece: pictures unpack to more than fits in memory at once.
 * Null for damaged data. Raises `PdfRefused` past `maxBytes`.
 */
export async function measureDeflated(
  data: Uint8Array,
  maxBytes: number,
): Promise<{ packedBytes: number; unpackedBytes: number } | null> {
  const unpacking = createInflate({ finishFlush, chunkSize: 256 * 1024 })
  let unpackedBytes = 0
  try {
    for await (const piece of pipeThrough(unpacking, data)) {
      unpackedBytes += piece.length
      if (unpackedBytes > maxBytes) throw new PdfRefused('oversized stream')
    }
  } catch (error) {
    if (error instanceof PdfRefused) throw error
    return null
  }
  return { packedBytes: unpacking.bytesWritten, unpackedBytes }
}

function pipeThrough(unpacking: ReturnType<typeof createInflate>, data: Uint8Array): AsyncIterable<Buffer> {
  unpacking.end(data)
  return unpacking
}
