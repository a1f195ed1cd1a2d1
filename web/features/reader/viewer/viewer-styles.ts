import viewerCss from 'pdfjs-dist/web/pdf_viewer.css?raw'

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
