const mebibyte = 1024 * 1024

/** What one file may cost. Past any of these it is refused; the time it takes is bounded by whoever runs it. */
export type AnonymiserLimits = {
  /** What PDFium's own memory may grow to. A file's bytes lie in it once, and its largest stream twice more as it is saved. */
  pdfiumMaxHeapBytes: number
  maxPages: number
  /** Objects in the copy; a 1,000-page book has some 20,000. */
  maxObjects: number
  /** One page description, font map or the like, unpacked. */
  maxTextStreamBytes: number
  /** All of them together. They are read byte by byte (30 ms for a MiB), each once however many pages share it. */
  maxTextBytes: number
  /** Character maps, apart from these, since each of their words is looked at (200 ms for a MiB). */
  maxMapBytes: number
  /** All other streams, unpacked: no more is done with them (5 ms for a MiB). */
  maxDataBytes: number
  /** The copy, and the file as PDFium writes it. Pages that share a part of their description get one each. */
  maxRewrittenBytes: number
  /** Pages whose drawing is compared with the original's; of all others the size is. */
  maxComparedPages: number
  /** What these draw, forms included. PDFium reads it twice (100 ms for a MiB each), anew for every page. */
  maxComparedBytes: number
  /** What pages that cannot be copied are drawn with, in pixels per inch. */
  drawnPerInch: number
  /** Where many are drawn it is less, down to this. */
  minDrawnPerInch: number
  /** Of one page; a larger one is drawn more coarsely. Each pixel takes some 12 bytes at once. */
  maxDrawnPagePixels: number
  /** Of all drawn pages: 77 of A4 as fine as can be, 310 at the coarsest (60 ns a pixel). */
  maxDrawnPixels: number
}

/** Limits that every file of up to `maxFileBytes` fits in, unless it was made to be costly. */
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
