import { isRecentBrowser } from './assets.ts'
import { workerUrl } from './worker-url.ts'

/** Two functions, as in `note-file.ts` of the reader. */
const builds = { recent: () => import('pdfjs-dist'), legacy: () => import('pdfjs-dist/legacy/build/pdf.mjs') }

/**
 * pdf.js without the viewer. It is large, so pages import it on demand. No code of a file is executed: scripts and XFA
 * are off.
 */
export const pdfjs = await builds[isRecentBrowser ? 'recent' : 'legacy']()
pdfjs.GlobalWorkerOptions.workerSrc = workerUrl
