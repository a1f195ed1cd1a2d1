import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gunzipSync } from 'node:zlib'
import type { TesseractCore } from './tesseract-core.d.ts'

/**
 * The engine of tesseract.js without its wrapper, which would start its own thread, and expects the data of all
 * languages in one folder.
 */
const require = createRequire(import.meta.url)
const lstmOnly = 1

/** Eight bits per pixel, row by row. */
export type GreyPicture = { width: number; height: number; pixels: Uint8Array }
/** `box` is left, top, width and height in pixels; `confidence` is at most 100. */
export type FoundWord = { text: string; confidence: number; box: [number, number, number, number] }

export type Tesseract = {
  /** Returns the words by line. It may throw or never end on hostile images: run it in a worker. */
  recognise(picture: GreyPicture, dpi: number): FoundWord[][]
}

/** @param languages as named in the packages `@tesseract.js-data/…`; the first one reads what is alike in several. */
export async function openTesseract(languages: string[]): Promise<Tesseract> {
  const start: TesseractCore = require('tesseract.js-core/tesseract-core-simd-lstm.js')
  const core = await start({ print() {}, printErr() {} })
  for (const language of languages) {
    const data = require.resolve(`@tesseract.js-data/${language}/4.0.0_best_int/${language}.traineddata.gz`)
    core.FS.writeFile(`${language}.traineddata`, gunzipSync(readFileSync(data)))
  }
  const api = new core.TessBaseAPI()
  if (api.Init(null, languages.join('+'), lstmOnly) !== 0) throw new Error('Couldn’t start Tesseract')
  return {
    recognise({ width, height, pixels }, dpi) {
      core.FS.writeFile('/input', Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]))
      if (api.SetImageFile(1, 0) !== 0) throw new Error('Tesseract can’t read the image')
      api.SetVariable('user_defined_dpi', String(dpi))
      if (api.Recognize(null) !== 0) throw new Error('Tesseract can’t recognise the image')
      return readLines(api.GetTSVText(0))
    },
  }
}

/** Columns: level, page, block, paragraph, line, word, left, top, width, height, confidence, text. */
function readLines(tsv: string): FoundWord[][] {
  const lines = new Map<string, FoundWord[]>()
  for (const row of tsv.split('\n')) {
    const [level, page, block, paragraph, line, , left, top, width, height, confidence, text = ''] = row.split('\t')
    if (level !== '5') continue
    const name = [page, block, paragraph, line].join()
    const words = lines.get(name) ?? []
    words.push({
      text,
      confidence: Number(confidence),
      box: [Number(left), Number(top), Number(width), Number(height)],
    })
    lines.set(name, words)
  }
  return [...lines.values()]
}
