export type Pdfjs = typeof import('./pdfjs.ts')

let loading: Promise<Pdfjs> | undefined

/** Loads pdf.js once. Called early, so that it is on its way while the note is asked for. */
export function loadPdfjs(): Promise<Pdfjs> {
  loading ??= import('./pdfjs.ts').catch((failure: unknown) => {
    loading = undefined
    throw failure
  })
  return loading
}
