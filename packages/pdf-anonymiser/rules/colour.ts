import { PdfName, PdfRejectedError, PdfStream, PdfString, type PdfValue } from '../syntax/values.ts'
import { arrayOf, boolean, byNumber, dict, firstOf, lazyRule, number, numbers, oneOf, stream } from './basic.ts'
import type { Copier, Rule } from './copier.ts'
import { countComponents } from './sizes.ts'

const sampled = stream('data', {
  FunctionType: number,
  Domain: numbers,
  Range: numbers,
  Size: numbers,
  BitsPerSample: number,
  Order: number,
  Encode: numbers,
  Decode: numbers,
})
const exponential = dict({ FunctionType: number, Domain: numbers, Range: numbers, C0: numbers, C1: numbers, N: number })
const stitched = dict({
  FunctionType: number,
  Domain: numbers,
  Range: numbers,
  Functions: arrayOf(lazyRule(() => functionRule)),
  Bounds: numbers,
  Encode: numbers,
})
const calculator = stream('calculator', { FunctionType: number, Domain: numbers, Range: numbers })

const functionRule: Rule = byNumber('FunctionType', { 0: sampled, 2: exponential, 3: stitched, 4: calculator })
/** Allows a function, a list of functions, or the name of a predefined one. */
export const functions: Rule = firstOf(oneOf('Identity', 'Default'), functionRule, arrayOf(lazyRule(() => functions)))

const whitePoint = { WhitePoint: numbers, BlackPoint: numbers }
const iccProfile = stream('icc', { N: number, Range: numbers, Alternate: lazyRule(() => colourSpace) })
const maxColours = 256
const maxComponents = 32
/**
 * Rules for the palette of an indexed space, a string or a stream of so many bytes. Each size has one rule object,
 * because copies are shared per rule.
 */
const palettes = Array.from({ length: maxColours * maxComponents + 1 }, (_, bytes): Rule => {
  const packed = stream('data', {}, () => bytes)
  return (value, copy) =>
    value instanceof PdfString ? new PdfString(value.bytes.subarray(0, bytes)) : packed(value, copy)
})

const inkName: Rule = (value, copy) =>
  value instanceof PdfName ? new PdfName(copy.inkNames.replace(value.text)) : undefined

const indexed = [lazyRule(() => colourSpace), number]

/** The rules for the entries after the family name in a colour space array. */
const families: Record<string, Rule[]> = {
  DeviceGray: [],
  DeviceRGB: [],
  DeviceCMYK: [],
  CalGray: [dict({ ...whitePoint, Gamma: number })],
  CalRGB: [dict({ ...whitePoint, Gamma: numbers, Matrix: numbers })],
  Lab: [dict({ ...whitePoint, Range: numbers })],
  ICCBased: [iccProfile],
  Indexed: indexed,
  I: indexed,
  Separation: [inkName, lazyRule(() => colourSpace), functions],
  DeviceN: [arrayOf(inkName), lazyRule(() => colourSpace), functions],
  Pattern: [lazyRule(() => colourSpace)],
}

/**
 * A name is either a predefined space or one in the page's resources. The attributes of DeviceN are left out, because
 * they contain names and measurements of inks, and readers fall back on the alternate space.
 */
export const colourSpace: Rule = (value, copy) => {
  if (value instanceof PdfName) return new PdfName(copy.resourceNames.replace(value.text))
  if (!Array.isArray(value)) return undefined
  const family = copy.source.resolve(value[0])
  const rules = family instanceof PdfName ? families[family.text] : undefined
  if (!(family instanceof PdfName) || !rules) throw new PdfRejectedError('unknown colour space')
  const parts = value.slice(1, 1 + rules.length).map((part, at) => copyPart(part, rules[at], copy))
  if (rules !== indexed) return [family, ...parts]
  const [, base, last, colours] = value
  const count = copy.source.resolve(last)
  const colourCount = typeof count === 'number' ? Math.min(Math.max(0, Math.floor(count) + 1), maxColours) : 0
  const bytes = colourCount * Math.min(countComponents(base, copy) ?? 4, maxComponents)
  return [family, ...parts, copyPart(colours ?? null, palettes[bytes], copy)]
}

function copyPart(part: PdfValue, rule: Rule | undefined, copy: Copier): PdfValue {
  const copied = rule && copy.apply(part, rule)
  if (copied === undefined) throw new PdfRejectedError('incomplete colour space')
  return copied
}

const shadingEntries = {
  ShadingType: number,
  ColorSpace: colourSpace,
  Background: numbers,
  BBox: numbers,
  AntiAlias: boolean,
  Function: functions,
  Coords: numbers,
  Domain: numbers,
  Matrix: numbers,
  Extend: arrayOf(boolean),
  BitsPerCoordinate: number,
  BitsPerComponent: number,
  BitsPerFlag: number,
  VerticesPerRow: number,
  Decode: numbers,
}
const meshShading = stream('data', shadingEntries)
export const shading: Rule = (value, copy) =>
  value instanceof PdfStream ? meshShading(value, copy) : dict(shadingEntries)(value, copy)
