import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'

/** A PDF with a line of text on each page. */
export async function pdfOfPages(lines: string[], { title }: { title?: string } = {}): Promise<Buffer> {
  const pdf = await PDFDocument.create()
  if (title !== undefined) pdf.setTitle(title)
  const font = await pdf.embedFont(StandardFonts.TimesRoman)
  for (const line of lines) pdf.addPage([595, 842]).drawText(line, { x: 72, y: 720, size: 24, font })
  return Buffer.from(await pdf.save())
}
