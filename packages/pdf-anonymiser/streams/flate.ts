import { pipeline } from 'node:stream/promises'
import { constants, createDeflate, createInflate, inflateRawSync, inflateSync } from 'node:zlib'
import { PdfLimitError, PdfRejectedError } from '../syntax/values.ts'

/** Truncated data is not an error: readers show the part that exists. */
const finishFlush = constants.Z_SYNC_FLUSH

/**
 * Decompresses deflated data; for damaged data, the part before the damage. Throws `PdfRejectedError` past `maxBytes`.
 */
export async function inflate(data: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const options = { finishFlush, maxOutputLength: Math.max(1, maxBytes) }
  try {
    return inflateSync(data, options)
  } catch (error) {
    refuseOversized(error)
  }
  // A wrong checksum is the most common damage, and readers ignore it.
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
    // Chunks are small because the one with the damage is lost.
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
 * Finds the end of deflated data by decompressing it in chunks, because images can be larger than memory. Returns null
 * for damaged data. Throws `PdfRejectedError` past `maxBytes`.
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

/** Compresses the first bytes of deflated data again, in chunks because the whole can be larger than memory. */
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
