import {
  clip,
  endPath,
  PDFDocument,
  type PDFPage,
  type PDFPageDrawTextOptions,
  pushGraphicsState,
  rectangle,
  rgb,
  StandardFonts,
  setTextRenderingMode,
  TextRenderingMode,
} from '@cantoo/pdf-lib'

/** Makes a PDF with one line of text on each page. */
export async function pdfOfPages(lines: string[], { title }: { title?: string } = {}): Promise<Buffer> {
  const pdf = await PDFDocument.create()
  if (title !== undefined) pdf.setTitle(title)
  const font = await pdf.embedFont(StandardFonts.TimesRoman)
  for (const line of lines) pdf.addPage([595, 842]).drawText(line, { x: 72, y: 720, size: 24, font })
  return Buffer.from(await pdf.save())
}

const white = rgb(1, 1, 1)
/** Each function draws text that is not visible. */
const hidden: ((page: PDFPage, line: string, style: PDFPageDrawTextOptions) => void)[] = [
  (page, line, style) => {
    page.pushOperators(setTextRenderingMode(TextRenderingMode.Invisible))
    page.drawText(line, style)
  },
  (page, line, style) => page.drawText(line, { ...style, color: white }),
  (page, line, style) => {
    page.drawText(line, style)
    page.drawRectangle({ x: 0, y: 600, width: 595, height: 242, color: white })
  },
  (page, line, style) => {
    page.pushOperators(pushGraphicsState(), rectangle(0, 0, 9, 9), clip(), endPath())
    page.drawText(line, style)
  },
]

/** Makes a PDF with a visible line on its first page, and the same line invisible on four more. */
export async function pdfWithHiddenText(line: string): Promise<Buffer> {
  const pdf = await PDFDocument.create()
  const style = { x: 72, y: 720, size: 24, font: await pdf.embedFont(StandardFonts.TimesRoman) }
  pdf.addPage([595, 842]).drawText(line, style)
  for (const draw of hidden) {
    const page = pdf.addPage([595, 842])
    page.drawText('Limits', { ...style, y: 300 })
    draw(page, line, style)
  }
  return Buffer.from(await pdf.save())
}
