// The first one names itself to the second, so their order matters.
import * as pdfjs from 'pdfjs-dist/legacy/build/pdf.mjs'
import viewerCss from 'pdfjs-dist/legacy/web/pdf_viewer.css?raw'
import * as viewer from 'pdfjs-dist/legacy/web/pdf_viewer.mjs'
import { assets, pdfjsFolder } from '../../../platform/pdf/pdfjs.ts'

/** pdf.js with its viewer. Load it with `loadPdfjs`. */
export const annotationImages = `${pdfjsFolder}images/`

/** The build leaves of it what pages wear; see web/vite.config.ts. */
const sheet = new CSSStyleSheet()
sheet.replaceSync(viewerCss)

/** Puts the pages' styles on until `signal` aborts. */
export function adoptViewerStyles(signal: AbortSignal): void {
  document.adoptedStyleSheets.push(sheet)
  signal.addEventListener('abort', () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet)
  })
}

export { assets, pdfjs, viewer }
