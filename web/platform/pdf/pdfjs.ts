import * as pdfjs from 'pdfjs-dist/legacy/build/pdf.mjs'
import { workerUrl } from './worker-url.ts'

/**
 * pdf.js for every page that reads PDFs: the build that also runs in browsers of some years ago. It is large: pages import
 * it when they need it. Nothing of a file is ever run: no scripts, no XFA, and pages draw what they are told.
 */
pdfjs.GlobalWorkerOptions.workerSrc = workerUrl

/** Where the build puts what is fetched when a file needs it; see web/vite.config.ts. */
export const pdfjsFolder = `/assets/pdfjs-${pdfjs.version}/`
/** For `getDocument`. Codecs are its scripts, not WebAssembly: the pages' security policy makes no code from bytes. */
export const assets = {
  cMapUrl: `${pdfjsFolder}cmaps/`,
  standardFontDataUrl: `${pdfjsFolder}standard_fonts/`,
  wasmUrl: `${pdfjsFolder}wasm/`,
  useWasm: false,
}

export { pdfjs }
