import { type PdfDict, PdfStream, type PdfValue } from '../syntax/values.ts'
import { formatValue } from '../syntax/write.ts'
import type { Overlay } from './annotations.ts'
import type { Copier } from './copier.ts'

/**
 * Makes what lies on a page a part of it: drawn at the end of its description, in the graphics state with which that
 * began. The page's resources may be shared, so it gets a list of its own.
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

/** @returns the name that the entry got: the first free one. */
function addEntry(entries: PdfDict, value: PdfValue): string {
  let number = entries.size
  while (entries.has(`On${number}`)) number++
  entries.set(`On${number}`, value)
  return `On${number}`
}
