import { type PdfArray, type PdfDict, PdfName, PdfRejectedError, PdfString, type PdfValue } from '../syntax/values.ts'
import { arrayOf, dict, oneOf } from './basic.ts'
import { type Copier, dictOf, nameText, type Rule } from './copier.ts'

/** The limit for a visibility expression. */
const maxParts = 1_000

const visibility = dict({
  View: dict({ ViewState: oneOf('ON', 'OFF') }),
  Print: dict({ PrintState: oneOf('ON', 'OFF') }),
  Export: dict({ ExportState: oneOf('ON', 'OFF') }),
})
const membershipEntries = dict({ Type: oneOf('OCMD'), P: oneOf('AllOn', 'AnyOn', 'AnyOff', 'AllOff') })

/**
 * A layer (optional content group) or a condition on several layers. It is copied so that hidden content stays hidden;
 * its name, creator and language are left out.
 */
export const layer: Rule = (value, copy) => {
  if (!isLayer(value, copy)) return undefined
  return typeOf(value, copy) === 'OCG' ? copyGroup(value, copy) : copyMembership(value, copy)
}

const typeOf = (value: PdfValue, copy: Copier) => nameText(dictOf(value)?.get('Type'), copy)
export const isLayer = (value: PdfValue, copy: Copier) => ['OCG', 'OCMD'].includes(typeOf(value, copy) ?? '')

function copyGroup(value: PdfValue, copy: Copier): PdfValue | undefined {
  const kept = dict({ Type: oneOf('OCG'), Usage: visibility })(value, copy)
  return kept instanceof Map ? kept.set('Name', new PdfString(Buffer.from('Layer'))) : undefined
}

function copyMembership(value: PdfValue, copy: Copier): PdfValue | undefined {
  const kept = membershipEntries(value, copy)
  if (!(value instanceof Map) || !(kept instanceof Map)) return undefined
  const groups = value.get('OCGs') ?? null
  const isList = Array.isArray(copy.source.resolve(groups))
  kept.set('OCGs', (isList ? copy.apply(groups, groupList) : copyGroups([groups], copy)) ?? [])
  const expression = copyExpression(value.get('VE'), copy)
  return expression ? kept.set('VE', expression) : kept
}

/**
 * Copies an expression such as `[/And layer [/Not layer]]`, which refers to the same layer objects as the rest of the
 * file.
 */
function copyExpression(
  value: PdfValue | undefined,
  copy: Copier,
  depth = 0,
  count = { parts: 0 },
): PdfArray | undefined {
  const parts = copy.source.resolve(value)
  if (!Array.isArray(parts) || depth > 32) return undefined
  return parts.map((part) => {
    if (++count.parts > maxParts) throw new PdfRejectedError('too long an expression')
    const resolved = copy.source.resolve(part)
    if (resolved instanceof PdfName) return oneOf('And', 'Or', 'Not')(resolved, copy) ?? null
    return copyExpression(part, copy, depth + 1, count) ?? copyGroups([part], copy)[0] ?? null
  })
}

/** Conditions are left out, because one that refers to itself would be endless. */
const copyGroups = (items: PdfArray, copy: Copier): PdfArray =>
  items.flatMap((item) => (typeOf(copy.source.resolve(item), copy) === 'OCG' ? (copy.apply(item, layer) ?? []) : []))
const groupList: Rule = (value, copy) => (Array.isArray(value) ? copyGroups(value, copy) : undefined)

const event = oneOf('View', 'Print', 'Export')
const layerProperties = dict({
  OCGs: groupList,
  D: dict({
    BaseState: oneOf('ON', 'OFF', 'Unchanged'),
    ON: groupList,
    OFF: groupList,
    AS: arrayOf(dict({ Event: event, OCGs: groupList, Category: arrayOf(event) })),
  }),
})

/** Copies which layers are visible when the file is opened (the catalog's entry `OCProperties`). */
export function copyLayers(catalog: PdfDict, copy: Copier): PdfValue | undefined {
  return copy.apply(catalog.get('OCProperties'), layerProperties)
}
