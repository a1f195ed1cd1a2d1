import { pickBuild } from './build.ts'
import { workerUrl } from './worker-url.ts'

const load = pickBuild({
  recent: () => import('pdfjs-dist'),
  legacy: () => import('pdfjs-dist/legacy/build/pdf.mjs'),
})

/**
 * pdf.js without the viewer. It is large, so pages import it on demand. No code of a file is executed: scripts and XFA
 * are off.
 */
export const pdfjs = await load()
pdfjs.GlobalWorkerOptions.workerSrc = workerUrl
