import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { deflateSync } from 'node:zlib'
import encodeJpeg, { init } from '@jsquash/jpeg/encode.js'
import { PdfName, PdfStream, type PdfValue } from '../syntax/values.ts'

/** Red, green, blue and a byte without meaning for each pixel. */
export type Pixels = { width: number; height: number; bytes: Uint8Array }

/** Of a page of text more pixels are like their left neighbour, and it packs better without loss. Photographs do not. */
const minRepeated = 0.8
const quality = 85
const greyJpeg = 1 // MozJpegColorSpace.GRAYSCALE

const encoder = fileURLToPath(import.meta.resolve('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'))
let isReady: Promise<void> | undefined

/** The page's picture, in grey where it has no colours. */
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

/** `repeated`: how many pixels are like the one before. */
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
