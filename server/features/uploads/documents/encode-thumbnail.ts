import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { SpooledFile } from '../../../platform/storage/spool.ts'

/** In pixels. */
const widths = { small: 320, large: 640 }
const quality = 80
/** Effort 2 of 6 needs about two thirds of the processor time of the default 4, and few images grow by over a tenth. */
const effort = 2

/** Sharp encodes one image at a time, on one thread and without a cache, because requests have priority. */
async function loadSharp() {
  const { default: sharp } = await import('sharp')
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}

/**
 * Writes the two files of a thumbnail. They are made from pixels alone, so they contain no metadata.
 * @param pixels path of the raw image, four bytes per pixel; the last byte is ignored.
 */
export async function encodeThumbnail(
  pixels: string,
  { width, height }: { width: number; height: number },
  newPath: () => string,
): Promise<{ small: SpooledFile; large: SpooledFile }> {
  const sharp = await loadSharp()
  const picture = sharp(await readFile(pixels), { raw: { width, height, channels: 4 } }).removeAlpha()
  async function write(width: number) {
    const path = newPath()
    await picture.clone().resize({ width }).webp({ quality, effort }).toFile(path)
    const content = await readFile(path)
    return { path, bytes: content.length, sha256: createHash('sha256').update(content).digest() }
  }
  return { small: await write(widths.small), large: await write(widths.large) }
}
