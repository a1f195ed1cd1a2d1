// The order matters: the viewer reads a global that pdf.js sets.
import * as pdfjs from 'pdfjs-dist'
import * as viewer from 'pdfjs-dist/web/pdf_viewer.mjs'

export { pdfjs, viewer }
