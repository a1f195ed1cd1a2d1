import { isRecentBrowser } from './assets.ts'
import { workerUrl } from './worker-url.ts'

/**
 * pdf.js without the viewer. It is large, so pages import it on demand. No code of a file is executed: scripts and XFA
 * are off.
 */
export const pdfjs = await (isRecentBrowser ? import('pdfjs-dist') : import('pdfjs-dist/legacy/build/pdf.mjs'))
pdfjs.GlobalWorkerOptions.workerSrc = workerUrl
