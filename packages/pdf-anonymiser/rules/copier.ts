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
 * Decides how a value is copied: the returned value is written to the new file, and `undefined` omits the entry. A
 * rule receives the resolved value, never a reference. The rules are an allowlist: whatever no rule names is left out.
 */
export type Rule = (value: PdfValue, copy: Copier) => PdfValue | undefined

/** The original numbers of page boxes by their 32-bit values. */
export type BoxNumbers = ReadonlyMap<number, number>

/** Selects how the bytes of a stream are cleaned before they are written. */
export type StreamKind = 'content' | 'characterMap' | 'calculator' | 'font' | 'icc' | 'jbig2' | 'data'

/**
 * `stream` has no bytes until it is cleaned. A page's content can have several `sources`. Decompressed data is cut at
 * `maxBytes`.
 */
export type CopiedStream = { stream: PdfStream; kind: StreamKind; sources: PdfStream[]; maxBytes: number }

/**
 * Copies what the rules allow from one file into another. Each object is copied once per rule that is applied to it.
 */
export class Copier {
  readonly source: PdfFile
  readonly target: PdfWriter
  readonly limits: AnonymiserLimits
  readonly boxNumbers: BoxNumbers
  /** Names that no text beside the page may contain. */
  readonly names: NameMatcher
  readonly resourceNames: ResourceNames
  readonly fontNames: FontNames
  readonly glyphNames: GlyphNames
  readonly inkNames = new InkNames()
  /** The number of links that were left out because their address contains a name. */
  droppedLinks = 0
  /** The number of annotations on all pages, which can share their lists. */
  annotations = 0
  /** Streams whose bytes still have to be cleaned. */
  readonly streams: CopiedStream[] = []
  /** The placeholders in the copy for objects that were rejected. */
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
    this.resourceNames = new ResourceNames(names)
    this.fontNames = new FontNames(names)
    this.glyphNames = new GlyphNames(names)
  }

  /** Applies a rule to a value or to the target of a reference. Referenced dictionaries and streams stay shared. */
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

  /** Joins the pieces of a page's content into one stream, which is shared by all pages with the same pieces. */
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

  /** Other objects may refer to the same one, so a placeholder for the rejected object is kept. */
  private runOrRefuse(value: PdfDict | PdfArray | PdfStream, rule: Rule): PdfValue | undefined {
    try {
      return this.run(value, rule)
    } catch (error) {
      return this.refuse(error, [])
    }
  }

  /**
   * Records that objects which need `standIn` cannot be copied.
   * @throws the error if it concerns the whole file.
   */
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

/** Returns the dictionary itself, or the dictionary of a stream. */
export function dictOf(value: PdfValue): PdfDict | undefined {
  if (value instanceof PdfStream) return value.dict
  return value instanceof Map ? value : undefined
}

/** Returns the text of a name that is given directly or by reference. */
export function nameText(value: PdfValue | undefined, copy: Copier): string | undefined {
  const resolved = copy.source.resolve(value)
  return resolved instanceof PdfName ? resolved.text : undefined
}
