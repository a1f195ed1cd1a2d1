const mebibyte = 1024 * 1024

/** The limits for one file, which is rejected beyond any of them. The caller must bound the time. */
export type AnonymiserLimits = {
  /**
   * The maximum size of PDFium's memory, which holds the file once, and its largest stream twice more during a save.
   */
  pdfiumMaxHeapBytes: number
  maxPages: number
  /** The maximum number of objects in the copy; a 1,000-page book has some 20,000. */
  maxObjects: number
  /** The decompressed size of one content stream, character map or similar stream. */
  maxTextStreamBytes: number
  /**
   * The size of all of them together. They are parsed byte by byte (30 ms per MiB), once however many pages share one.
   */
  maxTextBytes: number
  /** Character maps have a limit of their own, because each of their tokens is parsed (200 ms per MiB). */
  maxMapBytes: number
  /** The decompressed size of all other streams, which are not parsed (5 ms per MiB). */
  maxDataBytes: number
  /**
   * The size of the copy and of the file that PDFium saves. Pages that share part of their content get one part each.
   */
  maxRewrittenBytes: number
  /** Only so many pages are compared with the original by appearance; the others are compared by size. */
  maxComparedPages: number
  /** The content of the compared pages, forms included. PDFium parses it twice for every page (100 ms per MiB each). */
  maxComparedBytes: number
  /** The resolution of rasterised pages, in pixels per inch. */
  drawnPerInch: number
  /** The lowest resolution, in pixels per inch, which is used when many pages are rasterised. */
  minDrawnPerInch: number
  /** The limit for one page; a larger one gets a lower resolution. Each pixel takes some 12 bytes of memory. */
  maxDrawnPagePixels: number
  /** The limit for all rasterised pages: 77 of A4 at the highest resolution, 310 at the lowest (60 ns per pixel). */
  maxDrawnPixels: number
}

/** Returns limits that every file of up to `maxFileBytes` meets unless it was made to be costly. */
export function anonymiserLimits(maxFileBytes: number): AnonymiserLimits {
  return {
    pdfiumMaxHeapBytes: Math.max(160 * mebibyte, 3 * maxFileBytes + 64 * mebibyte),
    maxPages: 5_000,
    maxObjects: 500_000,
    maxTextStreamBytes: 48 * mebibyte,
    maxTextBytes: Math.max(128 * mebibyte, 2 * maxFileBytes),
    maxMapBytes: 32 * mebibyte,
    maxDataBytes: Math.max(1024 * mebibyte, 8 * maxFileBytes),
    maxRewrittenBytes: Math.max(64 * mebibyte, maxFileBytes + 40 * mebibyte),
    maxComparedPages: 200,
    maxComparedBytes: 16 * mebibyte,
    drawnPerInch: 200,
    minDrawnPerInch: 100,
    maxDrawnPagePixels: 8_000_000,
    maxDrawnPixels: 300_000_000,
  }
}
