import { PdfStream } from '../syntax/values.ts'
import {
  arrayOf,
  boolean,
  byNumber,
  contentPieces,
  contentStream,
  dict,
  dictOfNamed,
  firstOf,
  lazyRule,
  number,
  numbers,
  oneOf,
  stream,
} from './basic.ts'
import { boxNumber, boxNumbers } from './boxes.ts'
import { colourSpace, functions, shading } from './colour.ts'
import { dictOf, nameText, type Rule } from './copier.ts'
import { fontRule } from './fonts.ts'
import { layer } from './layers.ts'
import { markProperties } from './marked-content.ts'
import { measurePicture } from './sizes.ts'

const font = fontRule(lazyRule(() => resources))

const intent = oneOf('AbsoluteColorimetric', 'RelativeColorimetric', 'Saturation', 'Perceptual')
// biome-ignore format: a list of words
const blendMode = oneOf(
  'Normal', 'Compatible', 'Multiply', 'Screen', 'Overlay', 'Darken', 'Lighten', 'ColorDodge', 'ColorBurn', 'HardLight',
  'SoftLight', 'Difference', 'Exclusion', 'Hue', 'Saturation', 'Color', 'Luminosity',
)

const group = dict({
  Type: oneOf('Group'),
  S: oneOf('Transparency'),
  CS: colourSpace,
  I: boolean,
  K: boolean,
})

const form = stream('content', {
  Type: oneOf('XObject'),
  Subtype: oneOf('Form'),
  FormType: number,
  BBox: numbers,
  Matrix: numbers,
  Resources: lazyRule(() => resources),
  Group: group,
  OC: layer,
})

const imageEntries = {
  Type: oneOf('XObject'),
  Subtype: oneOf('Image'),
  Width: number,
  Height: number,
  ColorSpace: colourSpace,
  BitsPerComponent: number,
  Intent: intent,
  ImageMask: boolean,
  Mask: lazyRule(() => firstOf(numbers, image)),
  Decode: numbers,
  Interpolate: boolean,
  SMask: lazyRule(() => image),
  SMaskInData: number,
  Matte: numbers,
  OC: layer,
}
const image: Rule = stream('data', imageEntries, measurePicture)

/** Pages draw forms and images. PostScript XObjects only affect printing and are left out. */
const xObject: Rule = (value, copy) => {
  const kind = nameText(dictOf(value)?.get('Subtype'), copy)
  if (kind === 'Image') return image(value, copy)
  return kind === 'Form' ? form(value, copy) : undefined
}

/** Annotations have only forms as appearances. */
export const appearance: Rule = (value, copy) => (value instanceof PdfStream ? form(value, copy) : undefined)

const softMask = firstOf(
  oneOf('None'),
  dict({ Type: oneOf('Mask'), S: oneOf('Alpha', 'Luminosity'), G: form, BC: numbers, TR: functions }),
)

const graphicsState = dict({
  Type: oneOf('ExtGState'),
  LW: number,
  LC: number,
  LJ: number,
  ML: number,
  D: arrayOf(firstOf(number, numbers)),
  RI: intent,
  OP: boolean,
  op: boolean,
  OPM: number,
  Font: arrayOf(firstOf(number, font)),
  BG: functions,
  BG2: functions,
  UCR: functions,
  UCR2: functions,
  TR: functions,
  TR2: functions,
  FL: number,
  SM: number,
  SA: boolean,
  BM: firstOf(blendMode, arrayOf(blendMode)),
  SMask: softMask,
  CA: number,
  ca: number,
  AIS: boolean,
  TK: boolean,
})

const tilingPattern = stream('content', {
  Type: oneOf('Pattern'),
  PatternType: number,
  PaintType: number,
  TilingType: number,
  BBox: numbers,
  XStep: number,
  YStep: number,
  Matrix: numbers,
  Resources: lazyRule(() => resources),
})
const shadingPattern = dict({
  Type: oneOf('Pattern'),
  PatternType: number,
  Shading: shading,
  Matrix: numbers,
  ExtGState: graphicsState,
})
const pattern = byNumber('PatternType', { 1: tilingPattern, 2: shadingPattern })

const [layers, marks] = [dictOfNamed(layer), dictOfNamed(markProperties)]
/** Applies both rules separately, so that a layer is the same object as elsewhere in the file. */
const properties: Rule = (value, copy) =>
  new Map([marks, layers].flatMap((rule) => [...(dictOf(rule(value, copy) ?? null) ?? [])]))

/** The named resources of a content stream. `Properties` belong to layers and marked content. */
const resources: Rule = dict({
  ExtGState: dictOfNamed(graphicsState),
  ColorSpace: dictOfNamed(colourSpace),
  Pattern: dictOfNamed(pattern),
  Shading: dictOfNamed(shading),
  XObject: dictOfNamed(xObject),
  Font: dictOfNamed(font),
  Properties: properties,
})

export const pageEntries = {
  Resources: resources,
  MediaBox: boxNumbers,
  CropBox: boxNumbers,
  BleedBox: boxNumbers,
  TrimBox: boxNumbers,
  ArtBox: boxNumbers,
  Rotate: number,
  UserUnit: boxNumber,
  Contents: firstOf(contentStream, contentPieces),
  Group: group,
}
