import { pipeline } from 'node:stream/promises'
import { constants, createDeflate, createInflate, inflateRawSync, inflateSync } from 'node:zlib'
import { PdfLimitError, PdfRejectedError } from '../syntax/values.ts'

/** Data that is cut short is no error: what there is counts, as in readers. */
const finishFlush = constants.Z_SYNC_FLUSH

/** Unpacks deflated data; of damaged data as much as precedes the damage. Raises `PdfRejectedError` past `maxBytes`. */
export async function inflate(data: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const options = { finishFlush, maxOutputLength: Math.max(1, maxBytes) }
  try {
    return inflateSync(data, options)
  } catch (error) {
    refuseOversized(error)
  }
  // A wrong checksum is the commonest damage, and readers do not look at it.
  try {
    return inflateRawSync(data.subarray(2), options)
  } catch (error) {
    refuseOversized(error)
  }
  return inflateUpToDamage(data, maxBytes)
}

function refuseOversized(error: unknown): void {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') {
    throw new PdfLimitError('oversized stream')
  }
}

function inflateUpToDamage(data: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let size = 0
    // Small pieces, since the one in which the damage shows is lost.
    const unpacking = createInflate({ finishFlush, chunkSize: 64 })
    unpacking.on('data', (piece: Buffer) => {
      size += piece.length
      pieces.push(piece)
      if (size <= maxBytes) return
      unpacking.destroy()
      reject(new PdfLimitError('oversized stream'))
    })
    unpacking.on('error', () => resolve(Buffer.concat(pieces)))
    unpacking.on('end', () => resolve(Buffer.concat(pieces)))
    unpacking.end(data)
  })
}

/**
 * Where deflated data ends, found by unpacking it piece by piece: pictures unpack to more than fits in memory at once.
 * Null for damaged data. Raises `PdfRejectedError` past `maxBytes`.
 */
export async function measureDeflated(
  data: Uint8Array,
  maxBytes: number,
): Promise<{ packedBytes: number; unpackedBytes: number } | null> {
  const unpacking = createInflate({ finishFlush, chunkSize: 256 * 1024 })
  let unpackedBytes = 0
  try {
    unpacking.end(data)
    for await (const piece of unpacking as AsyncIterable<Buffer>) {
      unpackedBytes += piece.length
      if (unpackedBytes > maxBytes) throw new PdfLimitError('oversized stream')
    }
  } catch (error) {
    if (error instanceof PdfRejectedError) throw error
    return null
  }
  return { packedBytes: unpacking.bytesWritten, unpackedBytes }
}

/** The first bytes of what is packed, packed again. Piece by piece, for what unpacks to more than fits in memory. */
export async function cutDeflated(data: Uint8Array, unpackedBytes: number): Promise<Uint8Array> {
  const unpacking = createInflate({ finishFlush, chunkSize: 256 * 1024 })
  const packed: Buffer[] = []
  async function* takeFirst(pieces: AsyncIterable<Buffer>) {
    let left = unpackedBytes
    for await (const piece of pieces) {
      yield piece.subarray(0, left)
      left -= piece.length
      if (left <= 0) return
    }
  }
  unpacking.end(data)
  await pipeline(unpacking, takeFirst, createDeflate(), async (pieces: AsyncIterable<Buffer>) => {
    for await (const piece of pieces) packed.push(piece)
  })
  return Buffer.concat(packed)
}
