import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { deflateSync } from 'node:zlib'
import encodeJpeg, { init } from '@jsquash/jpeg/encode.js'
import { PdfName, PdfStream, type PdfValue } from '../syntax/values.ts'

/** Each pixel has four bytes: red, green, blue and an unused one. */
export type Pixels = { width: number; height: number; bytes: Uint8Array }

/**
 * A page of text has at least this share of pixels equal to their left neighbour, and then lossless compression is
 * smaller. Photographs have less.
 */
const minRepeated = 0.8
const quality = 85
const greyJpeg = 1 // MozJpegColorSpace.GRAYSCALE

const encoder = fileURLToPath(import.meta.resolve('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'))
let isReady: Promise<void> | undefined

/** Encodes the page's image, in grey when it has no colours. */
export async function makePicture(pixels: Pixels): Promise<PdfStream> {
  const { isGrey, repeated } = survey(pixels)
  const isPhoto = repeated < minRepeated * pixels.width * pixels.height
  const data = isPhoto ? await makeJpeg(pixels, isGrey) : deflateSync(takeColours(pixels, isGrey))
  const entries: [string, PdfValue][] = [
    ['Type', new PdfName('XObject')],
    ['Subtype', new PdfName('Image')],
    ['Width', pixels.width],
    ['Height', pixels.height],
    ['ColorSpace', new PdfName(isGrey ? 'DeviceGray' : 'DeviceRGB')],
    ['BitsPerComponent', 8],
    ['Filter', new PdfName(isPhoto ? 'DCTDecode' : 'FlateDecode')],
  ]
  return new PdfStream(new Map(entries), data)
}

/** `repeated` is the number of pixels that are equal to the previous one. */
function survey({ bytes }: Pixels): { isGrey: boolean; repeated: number } {
  let isGrey = true
  let repeated = 0
  for (let at = 0; at < bytes.length; at += 4) {
    const [red, green, blue] = [bytes[at], bytes[at + 1], bytes[at + 2]]
    if (red !== green || green !== blue) isGrey = false
    if (red === bytes[at - 4] && green === bytes[at - 3] && blue === bytes[at - 2]) repeated++
  }
  return { isGrey, repeated }
}

function takeColours({ width, height, bytes }: Pixels, isGrey: boolean): Uint8Array {
  const colours = new Uint8Array(width * height * (isGrey ? 1 : 3))
  let to = 0
  for (let at = 0; at < bytes.length; at += 4) {
    colours[to++] = bytes[at] ?? 0
    if (isGrey) continue
    colours[to++] = bytes[at + 1] ?? 0
    colours[to++] = bytes[at + 2] ?? 0
  }
  return colours
}

async function makeJpeg({ width, height, bytes }: Pixels, isGrey: boolean): Promise<Uint8Array> {
  isReady ??= init(new WebAssembly.Module(readFileSync(encoder)))
  await isReady
  const colours = isGrey ? { color_space: greyJpeg } : {}
  const options = { quality, progressive: false, ...colours }
  return new Uint8Array(
    await encodeJpeg({ data: bytes, width, height } as unknown as Parameters<typeof encodeJpeg>[0], options),
  )
}
