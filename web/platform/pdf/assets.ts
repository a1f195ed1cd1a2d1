import { version } from 'pdfjs-dist/package.json' with { type: 'json' }

/**
 * Whether the browser has the newest functions that pdf.js calls. Others load its build for older browsers, which
 * defines 200 functions before it starts: that takes 0.1 s on a phone.
 */
export const isRecentBrowser = 'sumPrecise' in Math && 'getOrInsertComputed' in Map.prototype

/** The folder of the assets that are loaded on demand; see web/vite.config.ts. */
export const pdfjsFolder = `/assets/pdfjs-${version}/`
/** For `getDocument`. Decoders are scripts, because the CSP forbids WebAssembly. */
export const assets = {
  cMapUrl: `${pdfjsFolder}cmaps/`,
  standardFontDataUrl: `${pdfjsFolder}standard_fonts/`,
  wasmUrl: `${pdfjsFolder}wasm/`,
  useWasm: false,
}
