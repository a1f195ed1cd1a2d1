import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import encodeWebp, { init } from '@jsquash/webp/encode.js'
import type { PageImage, PdfiumDocument } from '../../../packages/pdfium/pdfium.ts'
import { withDocument } from './inspect.ts'

/** Both sizes in WebP. */
type Thumbnail = { small: Uint8Array; large: Uint8Array }

/** The small image has half of this width. */
const size = { width: 640, maxRatio: 3 }
/** A small sample in which no stroke vanishes. */
const glanceSize = { width: 160, maxRatio: 3 }
/** After this many blank pages the search for content ends. */
const maxBlankPages = 5
/** A scan of an empty sheet is not of one colour alone. */
const maxNoise = 24
/** Method 2 of 6 needs about two thirds of the processor time of the default 4, and few images grow by over a tenth. */
const options = { quality: 80, method: 2 }

const encoder = fileURLToPath(import.meta.resolve('@jsquash/webp/codec/enc/webp_enc_simd.wasm'))
let isReady: Promise<unknown> | undefined

/** Draws the first page that is not blank. The images are made from pixels alone, so they contain no metadata. */
export async function renderThumbnail(
  bytes: Uint8Array,
  maxHeapBytes: number,
): Promise<Thumbnail | 'locked' | 'unreadable'> {
  const image = await withDocument(bytes, maxHeapBytes, renderFirstPage)
  if (typeof image === 'string') return image
  isReady ??= readFile(encoder).then((code) => init(new WebAssembly.Module(code)))
  await isReady
  return { small: await encode(halve(image)), large: await encode(image) }
}

/** Renders the first page with content, or else the first. */
function renderFirstPage(document: PdfiumDocument): PageImage | 'unreadable' {
  for (let index = 0; index < Math.min(document.pageCount, maxBlankPages); index++) {
    const glance = document.renderImage(index, glanceSize)
    if (!glance || isBlank(glance)) continue
    const image = document.renderImage(index, size)
    if (image) return image
  }
  return document.renderImage(0, size) ?? 'unreadable'
}

function isBlank({ pixels }: PageImage): boolean {
  for (let at = 0; at < pixels.length; at++) {
    if (at % 4 !== 3 && Math.abs((pixels[at] ?? 0) - (pixels[at % 4] ?? 0)) > maxNoise) return false
  }
  return true
}

/** Every pixel becomes the mean of four. */
function halve(image: PageImage): PageImage {
  const [width, height] = [Math.floor(image.width / 2), Math.floor(image.height / 2)]
  const pixels = new Uint8Array(4 * width * height)
  const get = (at: number) => image.pixels[at] ?? 0
  const row = 4 * image.width
  for (let at = 0; at < pixels.length; at++) {
    const [x, y] = [(at >> 2) % width, Math.floor((at >> 2) / width)]
    const from = 2 * y * row + 8 * x + (at & 3)
    pixels[at] = (get(from) + get(from + 4) + get(from + row) + get(from + row + 4)) / 4
  }
  return { width, height, pixels }
}

async function encode({ width, height, pixels }: PageImage): Promise<Uint8Array> {
  // The unused byte of a pixel would be its opacity.
  for (let at = 3; at < pixels.length; at += 4) pixels[at] = 255
  const image = { data: pixels, width, height } as unknown as Parameters<typeof encodeWebp>[0]
  return new Uint8Array(await encodeWebp(image, options))
}
