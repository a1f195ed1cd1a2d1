// This import sets the global that the viewer reads, so the order matters.
import * as pdfjs from 'pdfjs-dist/legacy/build/pdf.mjs'
import viewerCss from 'pdfjs-dist/legacy/web/pdf_viewer.css?raw'
import * as viewer from 'pdfjs-dist/legacy/web/pdf_viewer.mjs'
import { assets, pdfjsFolder } from '../../../platform/pdf/pdfjs.ts'

export const annotationImages = `${pdfjsFolder}images/`

/** The build reduces it to the rules that pages use; see web/vite.config.ts. */
const sheet = new CSSStyleSheet()
sheet.replaceSync(viewerCss)

/** Applies the viewer's styles until `signal` aborts. */
export function adoptViewerStyles(signal: AbortSignal): void {
  document.adoptedStyleSheets.push(sheet)
  signal.addEventListener('abort', () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet)
  })
}

export { assets, pdfjs, viewer }
