import { type PdfDict, PdfName, PdfStream, type PdfValue } from '../syntax/values.ts'
import { type Copier, dictOf, type Rule, type StreamKind } from './copier.ts'

export type Entries = Record<string, Rule>

/**
 * PDFium keeps numbers in 32 bits and writes 595.28 as 595.28003. The shortest number with the same 32-bit value is the
 * original one, unless that had more than seven digits.
 */
export function shorten(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const shorter = Number(value.toPrecision(digits))
    if (Math.fround(shorter) === Math.fround(value)) return shorter
  }
  return value
}

export const number: Rule = (value) => (typeof value === 'number' ? shorten(value) : undefined)
export const boolean: Rule = (value) => (typeof value === 'boolean' ? value : undefined)

export const oneOf = (...texts: string[]): Rule => {
  const allowed = new Set(texts)
  return (value) => (value instanceof PdfName && allowed.has(value.text) ? value : undefined)
}

export const arrayOf =
  (rule: Rule): Rule =>
  (value, copy) =>
    Array.isArray(value) ? value.map((item) => copy.apply(item, rule) ?? null) : undefined

export const numbers = arrayOf(number)

/** Applies the first rule that returns a value. Use it only for rules that decide by the value's type. */
export const firstOf =
  (...rules: Rule[]): Rule =>
  (value, copy) => {
    for (const rule of rules) {
      const copied = rule(value, copy)
      if (copied !== undefined) return copied
    }
    return undefined
  }

export const dict =
  (entries: Entries): Rule =>
  (value, copy) =>
    value instanceof Map ? pick(value, entries, copy) : undefined

const asItIs = (key: string) => key

/** Keeps every key and applies one rule to all values. */
export const dictOfAny =
  (rule: Rule, rename: (key: string, copy: Copier) => string = asItIs): Rule =>
  (value, copy) => {
    if (!(value instanceof Map)) return undefined
    const out: PdfDict = new Map()
    for (const [key, entry] of value) {
      const copied = copy.apply(entry, rule)
      if (copied !== undefined) out.set(rename(key, copy), copied)
    }
    return out
  }

/** Copies a dictionary of named resources: one rule for all values, and neutral names. */
export const dictOfNamed = (rule: Rule): Rule => dictOfAny(rule, (name, copy) => copy.resourceNames.replace(name))

/** @param measure returns how many decompressed bytes are read; the rest is cut off. */
export const stream =
  (kind: StreamKind, entries: Entries, measure?: (dict: PdfDict, copy: Copier) => number): Rule =>
  (value, copy) =>
    value instanceof PdfStream
      ? copy.stream(kind, [value], pick(value.dict, entries, copy), measure?.(value.dict, copy))
      : undefined

/** A content stream of a page, form, pattern or glyph. */
export const contentStream = stream('content', {})

/** Joins the pieces of a page's content stream, because a piece may end in the middle of a token. */
export const contentPieces: Rule = (value, copy) => {
  if (!Array.isArray(value)) return undefined
  const pieces = value.map((item) => copy.source.resolve(item)).filter((piece) => piece instanceof PdfStream)
  return copy.join(pieces)
}

/** Chooses a rule by a number in the dictionary (`FunctionType`, `ShadingType`, `PatternType`). */
export const byNumber =
  (key: string, rules: Record<number, Rule>): Rule =>
  (value, copy) => {
    const kind = copy.source.resolve(dictOf(value)?.get(key))
    return typeof kind === 'number' ? rules[kind]?.(value, copy) : undefined
  }

/** Defers the lookup of a rule, for rules that refer to each other. */
export const lazyRule =
  (rule: () => Rule): Rule =>
  (value, copy) =>
    rule()(value, copy)

export function pick(source: PdfDict, entries: Entries, copy: Copier): PdfDict {
  const out: PdfDict = new Map()
  for (const [key, rule] of Object.entries(entries)) {
    const value: PdfValue | undefined = source.get(key)
    if (value === undefined) continue
    const copied = copy.apply(value, rule)
    if (copied !== undefined) out.set(key, copied)
  }
  return out
}
