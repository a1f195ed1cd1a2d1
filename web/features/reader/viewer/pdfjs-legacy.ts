// The order matters: the viewer reads a global that pdf.js sets.
import * as pdfjs from 'pdfjs-dist/legacy/build/pdf.mjs'
import * as viewer from 'pdfjs-dist/legacy/web/pdf_viewer.mjs'

export { pdfjs, viewer }
