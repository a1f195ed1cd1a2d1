import { version } from 'pdfjs-dist/package.json' with { type: 'json' }

/** The folder of the assets that are loaded on demand; see web/vite.config.ts. */
export const pdfjsFolder = `/assets/pdfjs-${version}/`
/** For `getDocument`. Decoders are scripts, because the CSP forbids WebAssembly. */
export const assets = {
  cMapUrl: `${pdfjsFolder}cmaps/`,
  standardFontDataUrl: `${pdfjsFolder}standard_fonts/`,
  wasmUrl: `${pdfjsFolder}wasm/`,
  useWasm: false,
}
