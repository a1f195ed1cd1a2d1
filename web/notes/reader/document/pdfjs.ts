// The first one names itself to the second, so their order matters.
import * as pdfjs from 'pdfjs-dist/legacy/build/pdf.mjs'
import viewerCss from 'pdfjs-dist/legacy/web/pdf_viewer.css?raw'
import * as viewer from 'pdfjs-dist/legacy/web/pdf_viewer.mjs'
import { assets, pdfjsFolder } from '../../../pdf/pdfjs.ts'

/** pdf.js with its viewer. Load it with `loadPdfjs`. */
export const annotationImages = `${pdfjsFolder}images/`

/** What of the viewer's sheet pages wear. The rest is for editors that the reader has not, with names that we use. */
const ofPages = /^\.(pdfViewer|textLayer|annotationLayer|canvasWrapper)\b(?!.*loading)/
const sheet = new CSSStyleSheet()
sheet.replaceSync(viewerCss)
for (let at = sheet.cssRules.length - 1; at >= 0; at--) {
  const rule = sheet.cssRules[at]
  if (!(rule instanceof CSSStyleRule) || !ofPages.test(rule.selectorText)) sheet.deleteRule(at)
}

/** Puts the pages' styles on until `signal` aborts. */
export function wearStyles(signal: AbortSignal): void {
  document.adoptedStyleSheets.push(sheet)
  signal.addEventListener('abort', () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet)
  })
}

export { assets, pdfjs, viewer }
