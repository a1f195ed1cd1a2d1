import { type PdfDict, PdfName, PdfStream, type PdfValue } from '../syntax/values.ts'
import type { Copier } from './copier.ts'

/** The number of colour components of the families that are known by name alone. */
const components: Record<string, number> = {
  G: 1,
  DeviceGray: 1,
  CalGray: 1,
  RGB: 3,
  DeviceRGB: 3,
  CalRGB: 3,
  Lab: 3,
  CMYK: 4,
  DeviceCMYK: 4,
  I: 1,
  Indexed: 1,
  Separation: 1,
}

/** Returns undefined for a space that is defined only in the page's resources. */
export function countComponents(space: PdfValue | undefined, copy?: Copier): number | undefined {
  const resolve = (value: PdfValue | undefined) => copy?.source.resolve(value) ?? value ?? null
  const resolved = resolve(space)
  const [family, detail] = Array.isArray(resolved) ? resolved.slice(0, 2).map(resolve) : [resolved]
  if (!(family instanceof PdfName)) return undefined
  if (family.text === 'DeviceN') return Array.isArray(detail) ? detail.length : undefined
  if (family.text === 'ICCBased') {
    const count = detail instanceof PdfStream ? resolve(detail.dict.get('N')) : null
    return typeof count === 'number' ? count : undefined
  }
  return components[family.text]
}

/**
 * Returns the decompressed size of an image in bytes. If the dictionary does not determine it, the result is the
 * maximum that readers would use.
 */
export function measurePicture(dict: PdfDict, copy: Copier): number {
  const value = (key: string) => copy.source.resolve(dict.get(key))
  const isMask = value('ImageMask') === true
  const perPixel = isMask ? 1 : (countComponents(dict.get('ColorSpace'), copy) ?? 4)
  const bits = isMask ? 1 : (value('BitsPerComponent') ?? 8)
  return measureRows(value('Width'), value('Height'), perPixel, bits)
}

export function measureRows(width: PdfValue, height: PdfValue, perPixel: number, bits: PdfValue): number {
  const isMeasured = typeof width === 'number' && typeof height === 'number' && typeof bits === 'number'
  return isMeasured ? Math.max(0, Math.ceil((width * perPixel * bits) / 8) * height) : 0
}

/** Returns the size of the same rows with a predictor: some predictors add a byte to each row. */
export function measurePrepared(bytes: number, parameters: PdfDict): number {
  const entry = (key: string, otherwise: number) => {
    const value = parameters.get(key)
    return typeof value === 'number' ? value : otherwise
  }
  if (entry('Predictor', 1) < 10) return bytes
  const row = Math.max(1, Math.ceil((entry('Columns', 1) * entry('Colors', 1) * entry('BitsPerComponent', 8)) / 8))
  return Math.ceil(bytes / row) * (row + 1)
}
