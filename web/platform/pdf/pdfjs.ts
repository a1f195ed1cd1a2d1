import * as pdfjs from 'pdfjs-dist/legacy/build/pdf.mjs'
import { workerUrl } from './worker-url.ts'

/**
 * pdf.js for all pages that read PDFs, in the build for older browsers. It is large, so pages import it on demand. No
 * code of a file is executed: scripts and XFA are off.
 */
pdfjs.GlobalWorkerOptions.workerSrc = workerUrl

/** The folder of the assets that are loaded on demand; see web/vite.config.ts. */
export const pdfjsFolder = `/assets/pdfjs-${pdfjs.version}/`
/** For `getDocument`. Decoders are scripts, because the CSP forbids WebAssembly. */
export const assets = {
  cMapUrl: `${pdfjsFolder}cmaps/`,
  standardFontDataUrl: `${pdfjsFolder}standard_fonts/`,
  wasmUrl: `${pdfjsFolder}wasm/`,
  useWasm: false,
}

export { pdfjs }
