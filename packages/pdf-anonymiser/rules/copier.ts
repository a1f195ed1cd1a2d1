import type { AnonymiserLimits } from '../limits.ts'
import type { PdfFile } from '../syntax/read.ts'
import {
  type PdfArray,
  type PdfDict,
  PdfLimitError,
  PdfName,
  PdfRef,
  PdfRejectedError,
  PdfStream,
  type PdfValue,
} from '../syntax/values.ts'
import type { PdfWriter } from '../syntax/write.ts'
import { type NameMatcher, noNames } from './names.ts'
import { FontNames, GlyphNames, InkNames, ResourceNames } from './resource-names.ts'

const maxDepth = 100

/**
 * Says what becomes of a value: what it returns stands in the new file, `undefined` leaves the entry out. A rule is
 * given the value itself, never a reference. Everything a PDF may hold that no rule names stays behind: the rules
 * are the list of what is allowed.
 */
export type Rule = (value: PdfValue, copy: Copier) => PdfValue | undefined

/** Numbers of the boxes of pages by what they are in 32 bits. */
export type BoxNumbers = ReadonlyMap<number, number>

/** How the bytes of a stream are cleaned before they are written. */
export type StreamKind = 'content' | 'characterMap' | 'calculator' | 'font' | 'icc' | 'jbig2' | 'data'

/**
 * Until they are cleaned, `stream` has no bytes; `sources` are several where a page's description comes in pieces. What
 * unpacks to more than `maxBytes` is cut there.
 */
export type CopiedStream = { stream: PdfStream; kind: StreamKind; sources: PdfStream[]; maxBytes: number }

/** Copies what rules allow from one file into another. Each object is copied once for each rule that meets it. */
export class Copier {
  readonly source: PdfFile
  readonly target: PdfWriter
  readonly limits: AnonymiserLimits
  readonly boxNumbers: BoxNumbers
  /** No text beside the page may hold one of them. */
  readonly names: NameMatcher
  readonly resourceNames = new ResourceNames()
  readonly fontNames = new FontNames()
  readonly glyphNames: GlyphNames
  readonly inkNames = new InkNames()
  /** Links whose address holds one of the names. */
  droppedLinks = 0
  /** Streams whose bytes are still to be cleaned. */
  readonly streams: CopiedStream[] = []
  /** What stands in the copy for objects that were refused. */
  readonly refused = new Set<PdfValue>()
  private readonly copies = new Map<Rule, Map<number, PdfValue | undefined>>()
  private readonly joined = new Map<string, PdfRef>()
  private readonly numbers = new Map<PdfStream, number>()
  private depth = 0
  private count = 0

  constructor(
    source: PdfFile,
    target: PdfWriter,
    limits: AnonymiserLimits,
    { boxNumbers = new Map(), names = noNames }: { boxNumbers?: BoxNumbers; names?: NameMatcher } = {},
  ) {
    this.source = source
    this.target = target
    this.limits = limits
    this.boxNumbers = boxNumbers
    this.names = names
    this.glyphNames = new GlyphNames(names)
  }

  /** Applies a rule to a value or to what a reference leads to; dictionaries and streams behind references stay shared. */
  apply(value: PdfValue | undefined, rule: Rule): PdfValue | undefined {
    if (value instanceof PdfRef) return this.applyToRef(value, rule)
    const copied = this.run(value ?? null, rule)
    return copied instanceof PdfStream ? this.target.add(copied) : copied
  }

  stream(kind: StreamKind, sources: PdfStream[], dict: PdfDict, maxBytes = Number.POSITIVE_INFINITY): PdfStream {
    const stream = new PdfStream(dict, new Uint8Array())
    this.streams.push({ stream, kind, sources, maxBytes })
    return stream
  }

  /** A page's description in pieces as one stream, the same one for every page of the same pieces. */
  join(pieces: PdfStream[]): PdfRef {
    const key = pieces.map((piece) => this.numberOf(piece)).join(' ')
    const known = this.joined.get(key)
    if (known) return known
    const place = this.target.add(this.stream('content', pieces, new Map()))
    this.joined.set(key, place)
    return place
  }

  private numberOf(stream: PdfStream): number {
    const number = this.numbers.get(stream) ?? this.numbers.size
    this.numbers.set(stream, number)
    return number
  }

  private applyToRef(ref: PdfRef, rule: Rule): PdfValue | undefined {
    const known = this.copies.get(rule) ?? new Map<number, PdfValue | undefined>()
    this.copies.set(rule, known)
    if (known.has(ref.number)) return known.get(ref.number)
    const value = this.source.resolve(ref)
    if (!isContainer(value)) return this.run(value, rule)
    if (++this.count > this.limits.maxObjects) throw new PdfLimitError('too many objects')
    const place = this.target.reserve()
    known.set(ref.number, place)
    const copied = this.runOrRefuse(value, rule)
    if (copied !== undefined && isContainer(copied)) this.target.set(place, copied)
    else known.set(ref.number, copied)
    return known.get(ref.number)
  }

  /** Others may refer to the same object, so the refusal is kept in its place. */
  private runOrRefuse(value: PdfDict | PdfArray | PdfStream, rule: Rule): PdfValue | undefined {
    try {
      return this.run(value, rule)
    } catch (error) {
      return this.refuse(error, [])
    }
  }

  /** Notes that what needs `standIn` cannot be copied. @throws the error, where it is about the whole file */
  refuse<T extends PdfValue>(error: unknown, standIn: T): T {
    if (!(error instanceof PdfRejectedError) || error instanceof PdfLimitError) throw error
    if (standIn !== null) this.refused.add(standIn)
    return standIn
  }

  private run(value: PdfValue, rule: Rule): PdfValue | undefined {
    if (++this.depth > maxDepth) throw new PdfRejectedError('nested too deeply')
    try {
      return rule(value, this)
    } finally {
      this.depth--
    }
  }
}

const isContainer = (value: PdfValue): value is PdfDict | PdfArray | PdfStream =>
  value instanceof Map || value instanceof PdfStream || Array.isArray(value)

/** The dictionary of a dictionary or a stream. */
export function dictOf(value: PdfValue): PdfDict | undefined {
  if (value instanceof PdfStream) return value.dict
  return value instanceof Map ? value : undefined
}

/** A name's text, whether it stands there or behind a reference. */
export function nameText(value: PdfValue | undefined, copy: Copier): string | undefined {
  const resolved = copy.source.resolve(value)
  return resolved instanceof PdfName ? resolved.text : undefined
}
