import { fileURLToPath } from 'node:url'
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'

const folderOf = (name: string) => fileURLToPath(new URL(`../../${name}/`, import.meta.resolve('pdfjs-dist')))

/** The caller must destroy the returned task. */
export const openWithPdfJs = (file: Uint8Array) =>
  getDocument({
    data: new Uint8Array(file),
    verbosity: VerbosityLevel.ERRORS,
    cMapUrl: folderOf('cmaps'),
    standardFontDataUrl: folderOf('standard_fonts'),
    useSystemFonts: false,
  })

/**
 * Returns the text of each page, read by pdf.js (Firefox's reader). It complements PDFium, because each reader
 * tolerates different errors and a copy must work in both.
 */
export async function readText(file: Uint8Array): Promise<string[]> {
  const task = openWithPdfJs(file)
  const document = await task.promise
  const texts: string[] = []
  for (let number = 1; number <= document.numPages; number++) {
    const content = await (await document.getPage(number)).getTextContent()
    texts.push(content.items.map((item) => ('str' in item ? item.str : '')).join('\n'))
  }
  await task.destroy()
  return texts
}
