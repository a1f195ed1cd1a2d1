import { type PdfDict, PdfLimitError, PdfStream, type PdfValue } from '../syntax/values.ts'
import { formatValue } from '../syntax/write.ts'
import { type Copier, nameText } from './copier.ts'
import { appearance } from './graphics.ts'
import { layer } from './layers.ts'
import { fitToRect, identity, type Matrix } from './matrix.ts'

const hiddenFlags = 2 | 32

/** An appearance to draw on the page, with its position. Its objects are already in the new file. */
export type Overlay = { form: PdfValue; matrix: Matrix; layer: PdfValue | undefined }

/** Lists the annotations that a reader displays. Hidden ones are excluded, and popups, which open only on a click. */
export function findShown(page: PdfDict, copy: Copier): PdfDict[] {
  const list = copy.source.resolve(page.get('Annots'))
  if (!Array.isArray(list)) return []
  copy.annotations += list.length
  if (copy.annotations > copy.limits.maxObjects) throw new PdfLimitError('too many annotations')
  return list
    .map((item) => copy.source.resolve(item))
    .filter((item) => item instanceof Map)
    .filter((annotation) => {
      const flags = copy.source.resolve(annotation.get('F'))
      const isHidden = typeof flags === 'number' && (flags & hiddenFlags) !== 0
      return !isHidden && nameText(annotation.get('Subtype'), copy) !== 'Popup'
    })
}

/**
 * Returns whether an annotation has no appearance or an outdated one.
 * @param isOutOfDate whether the catalog marks the appearances of all fields as outdated.
 */
export function needsRasterising(page: PdfDict, copy: Copier, isOutOfDate: boolean): boolean {
  return findShown(page, copy).some((annotation) => {
    const hasPicture = copy.source.resolve(annotation.get('AP')) instanceof Map
    const isField = nameText(annotation.get('Subtype'), copy) === 'Widget'
    return isDrawn(annotation, copy) && (!hasPicture || (isField && isOutOfDate))
  })
}

/**
 * Copies the appearances of annotations: markup, stamps, drawings, text boxes and form values. Their authors and dates,
 * comments and replies, and the names and values of fields are left out.
 */
export function copyOverlays(annotations: PdfDict[], copy: Copier, pageRotation: number): Overlay[] {
  return annotations.flatMap((annotation) => {
    const picture = isDrawn(annotation, copy) ? findAppearance(annotation, copy) : undefined
    const form = picture === undefined ? undefined : copy.apply(picture, appearance)
    const original = copy.source.resolve(picture)
    if (form === undefined || !(original instanceof PdfStream)) return []
    // Appearances that PDFium generated are in page coordinates, even if the file's rectangle is wrong.
    const isGenerated = copy.source.resolve(annotation.get('PDFIUM_HasGeneratedAP')) === true
    const matrix = isGenerated ? identity : fitToRect(original.dict, annotation, copy, pageRotation)
    return matrix ? [{ form, matrix, layer: copy.apply(annotation.get('OC'), layer) }] : []
  })
}

/**
 * Links stay links, and are drawn only if they have an appearance. A signature's appearance is left out, because it
 * names the signer.
 */
function isDrawn(annotation: PdfDict, copy: Copier): boolean {
  const kind = nameText(annotation.get('Subtype'), copy)
  if (kind === 'Link') return annotation.has('AP')
  return kind !== undefined && !(kind === 'Widget' && fieldType(annotation, copy) === 'Sig')
}

function fieldType(field: PdfDict, copy: Copier): string | undefined {
  let node: PdfValue = field
  for (let up = 0; up < 16 && node instanceof Map; up++) {
    const type = nameText(node.get('FT'), copy)
    if (type !== undefined) return type
    node = copy.source.resolve(node.get('Parent'))
  }
  return undefined
}

/** Returns the normal appearance; for a check box, the one of its current state. */
function findAppearance(annotation: PdfDict, copy: Copier): PdfValue | undefined {
  const appearances = copy.source.resolve(annotation.get('AP'))
  if (!(appearances instanceof Map)) return undefined
  const normal = appearances.get('N')
  const states = copy.source.resolve(normal)
  if (states instanceof PdfStream) return normal
  return states instanceof Map ? states.get(nameText(annotation.get('AS'), copy) ?? 'Off') : undefined
}

/**
 * Draws the appearances at the end of the page's content, in the initial graphics state. The page gets its own resource
 * dictionary, because the original one may be shared.
 * @param page of the new file.
 */
export function drawOverlays(page: PdfDict, overlays: Overlay[], { target }: Copier): void {
  if (overlays.length === 0) return
  const own = (dict: PdfDict, key: string): PdfDict => {
    const found = target.resolve(dict.get(key))
    const entries: PdfDict = new Map(found instanceof Map ? found : [])
    dict.set(key, entries)
    return entries
  }
  const resources = own(page, 'Resources')
  const forms = own(resources, 'XObject')
  const layers = own(resources, 'Properties')
  const instructions = overlays.map(({ form, matrix, layer }) => {
    const draw = `q ${matrix.map(formatValue).join(' ')} cm /${addEntry(forms, form)} Do Q`
    return layer === undefined ? draw : `/OC /${addEntry(layers, layer)} BDC ${draw} EMC`
  })
  const piece = (text: string) => target.add(new PdfStream(new Map(), Buffer.from(text)))
  const description = page.get('Contents')
  page.set('Contents', [
    piece('q'),
    ...(description === undefined ? [] : [description]),
    piece(`Q\n${instructions.join('\n')}`),
  ])
}

/** @returns the name of the new entry, which is the first free one. */
function addEntry(entries: PdfDict, value: PdfValue): string {
  let number = entries.size
  while (entries.has(`On${number}`)) number++
  entries.set(`On${number}`, value)
  return `On${number}`
}
