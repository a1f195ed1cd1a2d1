import { describe, expect, it } from 'vitest'
import { readText } from '../pdfium/test/read-text.ts'
import { anonymisePdf } from './anonymise.ts'
import { anonymiserLimits } from './limits.ts'
import { noNames } from './rules/names.ts'
import { decodeAscii85, decodeAsciiHex, decodeRunLength } from './streams/ascii.ts'
import { cleanCharacterMap } from './streams/character-map.ts'
import { cleanContent } from './streams/content.ts'
import { cleanFax } from './streams/fax.ts'
import { cleanFontProgram } from './streams/font-program.ts'
import { cleanIccProfile } from './streams/icc.ts'
import { cleanJbig2 } from './streams/jbig2.ts'
import { cleanJpeg } from './streams/jpeg.ts'
import { cleanJpx } from './streams/jpx.ts'
import { decodeLzw } from './streams/lzw.ts'
import { cleanPostScriptFunction } from './streams/postscript-function.ts'
import { PdfRejectedError } from './syntax/values.ts'
import { canary, canaryFiles } from './test/canary-files.ts'
import { holdsCanary } from './test/expand-pdf.ts'
import { createRandom, mutate } from './test/mutate.ts'
import { realFont } from './test/real-font.ts'
import { tinyIccProfile, tinyJpeg, tinyJpx } from './test/tiny-pictures.ts'
import { visualFixtures } from './test/visual-fixtures.ts'

/** FUZZ_RUNS=20 tries twenty times as many files; FUZZ_SEED=2 tries different ones. */
const runs = Number(process.env.FUZZ_RUNS ?? 1)
const seed = Number(process.env.FUZZ_SEED ?? 1)

/** Random damage can make a file draw content that was only metadata before. */
const mayBeDrawn = new Set([
  'comments of a page description',
  'words that are no operators',
  'marked content',
  'a ticked box',
  'a stamp',
  'a comment and its reply',
  'a filled-in form',
  'a form without appearances',
  'an annotation that is only printed',
  'a popup',
  'a comment without a picture',
  'a signature',
  'a hidden annotation',
  'an earlier revision',
])
/**
 * When earlier bytes are lost, later ones move into a place that is kept: a font's last table or its encrypted part.
 */
const mayMove = new Set([
  'the tables of a font that do not draw',
  'behind the tables of a font',
  'the dates of a font',
  'behind the closing zeros of a font',
  'behind the lengths of a font',
  'behind the last segment of a font',
])
/** When the author's name in the file is damaged, the text beside the pages cannot be searched for it. */
const needAuthor = new Set(['bookmarks and labels that hold the name of the author', 'tags'])
const hiding = Object.entries(canaryFiles).filter(
  ([place]) => !mayBeDrawn.has(place) && !mayMove.has(place) && !needAuthor.has(place),
)
const files = [...hiding, ...Object.entries(visualFixtures)]
const limits = {
  ...anonymiserLimits(1),
  maxTextBytes: 4_000_000,
  maxDataBytes: 16_000_000,
  maxRewrittenBytes: 4_000_000,
  drawnPerInch: 36,
  minDrawnPerInch: 1,
}

describe('whatever happened to a file', () =>
  it('it is copied without what it hid, or refused', { timeout: 600_000 * runs }, async () => {
    const random = createRandom(seed)
    let copies = 0
    const count = 120 * runs
    for (let run = 0; run < count; run++) {
      const [what, file] = files[Math.floor(random() * files.length)] ?? ['', Buffer.alloc(0)]
      const mutated = mutate(file, random)
      const made = await anonymisePdf(mutated, { limits }).catch(refuseWhenPdfiumGaveUp)
      if (!made) continue
      const copy = Buffer.from(made.bytes)
      copies++
      const where = `run ${run} of seed ${seed}: ${what}`
      expect(await holdsCanary(copy, canary), where).toBe(false)
      expect(await holdsCanary(copy, canary.replace(' ', '')), where).toBe(false)
      expect((await readText(copy)).length, where).toBeGreaterThan(0)
      expect(await anonymisePdf(copy, { limits }), where).not.toBeNull()
    }
    expect(copies).toBeGreaterThan(count / 10)
  }))

const cleaners: Record<string, [Uint8Array, (data: Uint8Array) => Uint8Array]> = {
  'a page description': [
    Buffer.from('q/OC/A BDC[(a)-2<62>]TJ EMC BI/W 1/H 1/CS/G/BPC 8/F/AHx ID 7a>EI Q'),
    cleanContent,
  ],
  'an inline fax': [
    Buffer.from('BI/W 9/H 9/IM true/F/CCF/DP<</K 1/Columns 9>>ID \x80\x08\0\x80 EI', 'latin1'),
    cleanContent,
  ],
  'a character map': [
    Buffer.from('%!PS\n/Ordering(a%)def 1 beginbfchar<00><0041>(b)[/c]endbfchar endcmap'),
    cleanCharacterMap,
  ],
  'a calculator': [Buffer.from('{ dup 1 sub { 2 mul } if } %'), cleanPostScriptFunction],
  'a font of tables': [realFont().subarray(0, 4_000), (data) => cleanFontProgram(data, new Map(), { names: noNames })],
  'a font of three parts': [
    Buffer.from(`%!PS eexec ${'0'.repeat(512)}cleartomark`),
    (data) => cleanFontProgram(data, new Map(Object.entries({ Length1: 9, Length2: 9 })), { names: noNames }),
  ],
  'a colour profile': [tinyIccProfile('Screen'), cleanIccProfile],
  'a JPEG': [tinyJpeg([[0xe1, 'Exif']]), cleanJpeg],
  'a JPEG 2000 picture': [tinyJpx({ comment: 'a', xml: 'b' }), cleanJpx],
  'JBIG2 segments': [Buffer.from('00000000300001000000047061676500000001260001000000026162', 'hex'), cleanJbig2],
  'fax rows': [
    Buffer.from('26a0913d9f80080080', 'hex'),
    (data) => cleanFax(data, { k: -1, columns: 64, isAligned: false }, 60, 99),
  ],
  'fax rows with marks': [
    Buffer.from('00135a00126a80135a', 'hex'),
    (data) => cleanFax(data, { k: 2, columns: 64, isAligned: true }, 64, 99),
  ],
  LZW: [Buffer.from('800b6050220c0c8501', 'hex'), (data) => decodeLzw(data, 1, 9_999)],
  'base 85': [Buffer.from('87cURD]i,"Ebo80~>'), decodeAscii85],
  'base 16': [Buffer.from('4e 6F7>'), decodeAsciiHex],
  runs: [Buffer.from([1, 97, 98, 254, 99, 128, 120]), (data) => decodeRunLength(data, 9_999)],
}

describe('whatever happened to a stream', () =>
  it.each(Object.entries(cleaners))('%s is cleaned to something of its size, or refused', (_what, [data, clean]) => {
    const random = createRandom(seed)
    for (let run = 0; run < 500 * runs; run++) {
      let mutated = mutate(data, random)
      if (random() < 0.5) mutated = mutate(mutated, random)
      try {
        expect(clean(mutated).length).toBeLessThanOrEqual(10_000 + mutated.length * 10)
      } catch (error) {
        if (!(error instanceof PdfRejectedError)) throw error
      }
    }
  }))

/** PDFium stops with a WebAssembly error on input that it cannot handle, which counts as a rejection. */
function refuseWhenPdfiumGaveUp(error: unknown): null {
  if (error instanceof Error && (error.constructor.name === 'RuntimeError' || error.message.startsWith('PDFium')))
    return null
  throw error
}
