import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { SpooledFile } from '../../../platform/storage/spool.ts'

/** In pixels. */
const widths = { small: 320, large: 640 }
const quality = 80
/** Of 6, and 4 unless told: mostly two thirds of the processor time of 4, for pictures of which few grow by more than a tenth. */
const effort = 2

/** One picture at a time, on one thread, and nothing kept: answering people goes first. */
async function loadSharp() {
  const { default: sharp } = await import('sharp')
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}

/**
 * Writes the two files of a thumbnail. Made of pixels alone, they carry nothing else.
 * @param pixels where a picture's pixels lie, four bytes each, of which the last has no meaning.
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
