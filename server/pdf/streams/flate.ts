import { constants, createInflate, createInflateRaw } from 'node:zlib'
import { PdfRefused } from '../syntax/values.ts'

type Measure = { packedBytes: number; unpackedBytes: number }

/**
 * Where deflated data ends, found by unpacking it piece by piece: pictures unpack to more than fits in memory at once.
 * Raises `PdfRefused` for damaged data and past `maxBytes`. Data cut short counts as ending where it is cut.
 */
export async function measureDeflated(data: Uint8Array, maxBytes: number): Promise<Measure> {
  try {
    return await measure(createInflate({ finishFlush: constants.Z_SYNC_FLUSH }), data, maxBytes)
  } catch (error) {
    if (error instanceof PdfRefused) throw error
  }
  // Some writers get the checksum wrong, and readers do not look at it: unpack without.
  try {
    const inner = await measure(createInflateRaw({ finishFlush: constants.Z_SYNC_FLUSH }), data.subarray(2), maxBytes)
    return { packedBytes: Math.min(data.length, inner.packedBytes + 6), unpackedBytes: inner.unpackedBytes }
  } catch {
    throw new PdfRefused('damaged stream')
  }
}

async function measure(
  inflate: ReturnType<typeof createInflate>,
  data: Uint8Array,
  maxBytes: number,
): Promise<Measure> {
  let unpackedBytes = 0
  inflate.end(data)
  for await (const piece of inflate) {
    unpackedBytes += (piece as Buffer).length
    if (unpackedBytes > maxBytes) throw new PdfRefused('oversized stream')
  }
  return { packedBytes: inflate.bytesWritten, unpackedBytes }
}
