import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { lexer, type Token, type Tokens } from 'marked'
import PDFDocument from 'pdfkit'
import { notesFolder } from './courses.ts'

export type Note = {
  title: string
  markdown: string
  course: { code: string; name: string }
  look: 'plain' | 'slides' | 'handwritten'
  /** Written to the metadata, as word processors do. */
  author: string
  /** Whether the first page names the author too. */
  isSigned: boolean
}

const typed = { font: 'Helvetica', bold: 'Helvetica-Bold', italic: 'Helvetica-Oblique', ink: '#1f1f1f' }
const hand = { font: 'hand', bold: 'hand', italic: 'hand', ink: '#26324f' }
const a4 = [595, 842] as const
/**
 * Lengths are in points. Margins are named as in CSS, headings have three levels, `leading` is the distance between
 * baselines.
 */
const styles = {
  plain: { ...typed, page: a4, margins: [80, 70, 70, 70], size: 10.5, leading: 16, heads: [21, 13, 11] },
  slides: { ...typed, page: [720, 405], margins: [70, 60, 45, 60], size: 17, leading: 26, heads: [32, 24, 19] },
  handwritten: { ...hand, page: a4, margins: [96, 45, 60, 92], size: 17, leading: 24, heads: [28, 21, 18] },
} as const
const accents = ['#1d5c8f', '#8f2d1d', '#2c6e49', '#6a3d8f', '#94620a', '#1b6b72']
const gray = '#777777'

const handFile = '@expo-google-fonts/patrick-hand/400Regular/PatrickHand_400Regular.ttf'
/** This font has the Greek letters and symbols that the standard fonts of PDF lack. */
const symbolsFile = 'pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf'
/** The characters of Windows-1252, which all fonts have. */
const common = String.raw`\x20-\x7e\xa0-\xffŒœŠšŸŽžƒ–—‘’‚“”„†‡•…‰‹›€™`
const symbols = { typed: new RegExp(`([^${common}]+)`), hand: new RegExp(`([^${common}−√∑∫∞≈≠≤≥∂πλμŁı]+)`) }

type Run = { text: string; font: string; isStrong?: boolean }
type Form = { font?: string; size?: number; leading?: number; color?: string; indent?: number; align?: 'center' }

/** Typesets a note. The same note always gives the same file. */
export function writePdf({ title, markdown, course, look, author, isSigned }: Note): Promise<Buffer> {
  const style = styles[look]
  const { page, margins, size, leading } = style
  const [width, height] = page
  const [top, right, bottom, left] = margins
  const textWidth = width - left - right
  const accent = accents[[...course.code].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % accents.length] ?? ''
  const date = new Date('2026-01-15T12:00:00Z')
  const doc = new PDFDocument({
    size: [...page],
    margins: { top, right, bottom, left },
    bufferPages: true,
    autoFirstPage: false,
    info: { Title: title, Author: author, Subject: course.name, CreationDate: date, ModDate: date },
  })
  for (const [name, file] of Object.entries({ hand: handFile, symbols: symbolsFile })) {
    doc.registerFont(name, fileURLToPath(import.meta.resolve(file)))
  }
  doc.on('pageAdded', drawPaper)
  doc.addPage()
  drawTitle()
  for (const token of lexer(markdown)) drawBlock(token)
  numberPages()
  doc.end()
  return buffer(doc)

  function drawPaper() {
    // This uses only strokes, because continued text keeps the last fill colour.
    if (look === 'slides') drawLine([7, 0], [7, height], accent, 14)
    if (look !== 'handwritten') return
    for (let y = top + 4; y < height - 30; y += leading) drawLine([0, y], [width, y], '#c9d6e8')
    drawLine([left - 14, 0], [left - 14, height], '#e3a6a6')
  }

  function drawLine(from: [number, number], to: [number, number], color: string, lineWidth = 0.6) {
    doc.save().moveTo(...from)
    doc.lineTo(...to).lineWidth(lineWidth)
    doc.stroke(color).restore()
  }

  /** On ruled paper, distances are rounded up to whole rows so that text stays on the rules. */
  function skip(lines: number) {
    if (look !== 'handwritten') doc.y += lines * leading
  }

  function keepTogether(space: number) {
    if (doc.y + space > height - bottom) doc.addPage()
  }

  function isOnCover() {
    return look === 'slides' && doc.bufferedPageRange().count === 1
  }

  function drawTitle() {
    if (isOnCover()) {
      doc.rect(0, 0, width, height).fill(accent)
      doc.y = height * 0.38
    }
    const about = [course.code, course.name, ...(isSigned ? [author] : [])].join(' · ')
    const color = isOnCover() ? 'white' : gray
    write(title, {
      font: style.bold,
      size: style.heads[0],
      leading: leading * 1.5,
      color: isOnCover() ? color : accent,
    })
    if (look === 'handwritten') doc.y -= leading / 2
    write(about, { color })
    skip(1)
  }

  function drawBlock(token: Token) {
    // The cover has only room for some words about the note.
    if (isOnCover() && ['list', 'table', 'code'].includes(token.type)) drawHeading(2, title)
    if (token.type === 'heading') drawHeading(token.depth, token.text)
    else if (token.type === 'list') drawList(token as Tokens.List)
    else if (token.type === 'table') drawTable(token as Tokens.Table)
    else if (token.type === 'code') drawFormulas(token.text.split('\n'))
    else if (token.type === 'paragraph') drawParagraph(token as Tokens.Paragraph)
  }

  function drawParagraph({ tokens, text }: Tokens.Paragraph) {
    if (tokens[0]?.type === 'image') return drawPicture(tokens[0].href, tokens[0].text)
    if (text.endsWith(':')) keepTogether(5 * leading)
    write(readRuns(tokens))
    skip(0.45)
  }

  function drawHeading(depth: number, text: string) {
    if (look === 'slides' && depth === 2) doc.addPage()
    else keepTogether(7 * leading)
    if (look === 'handwritten') doc.y += leading
    else if (look === 'plain') skip(depth === 2 ? 0.6 : 0.3)
    if (depth === 2) doc.outline.addItem(text)
    write(text, { font: style.bold, size: style.heads[depth - 1], color: accent })
    if (look === 'handwritten') {
      const y = doc.y - leading + 5
      drawLine([left, y], [left + doc.widthOfString(text), y], accent)
    }
    skip(look === 'slides' ? 0.8 : 0.2)
  }

  function drawList({ items, ordered }: Tokens.List) {
    for (const [index, { tokens }] of items.entries()) {
      keepTogether(leading)
      const { y } = doc
      write(ordered ? `${index + 1}.` : '•', { color: accent })
      doc.y = y
      write(readRuns(tokens.flatMap((token) => ('tokens' in token && token.tokens) || [token])), { indent: size * 1.5 })
    }
    skip(0.45)
  }

  function drawFormulas(lines: string[]) {
    keepTogether(leading * lines.length)
    for (const formula of lines) {
      if (look !== 'handwritten') {
        doc.rect(left, doc.y - leading * 0.72, textWidth, leading).fill('#f1f3f6')
      }
      write(formula, { indent: size, color: look === 'handwritten' ? accent : style.ink })
    }
    skip(0.6)
  }

  function drawTable({ header, rows }: Tokens.Table) {
    const readCell = ({ text }: Tokens.TableCell, font: string) => ({
      text,
      font: { src: chooseFont(text, font), size: size * 0.94 },
    })
    keepTogether(leading * (rows.length + 2))
    doc.y -= leading * 0.7
    doc.table({
      defaultStyle: { border: 0.5, borderColor: '#9aa3af', padding: size * 0.4, textColor: style.ink },
      data: [
        header.map((cell) => ({ ...readCell(cell, style.bold), backgroundColor: '#e8ecf2' })),
        ...rows.map((row) => row.map((cell) => readCell(cell, style.font))),
      ],
    })
    moveBelow(doc.y)
  }

  /** Draws the paths and words of an SVG in the colours of the note. */
  function drawPicture(file: string, caption: string) {
    const svg = readFileSync(new URL(file, notesFolder), 'utf8')
    const [w = 0, h = 0] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)?.slice(1).map(Number) ?? []
    const scale = look === 'slides' ? 0.75 : 1
    keepTogether(h * scale + leading * 2)
    const y = doc.y - leading * 0.5
    doc.save().translate((width - w * scale) / 2, y)
    doc.scale(scale).lineWidth(1.4)
    for (const [, tag, attributes = '', text = ''] of svg.matchAll(/<(path|text) ([^>]*?)(?:\/>|>([^<]*)<)/g)) {
      const read = (name: string) => new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1] ?? ''
      const color = read('class') === 'accent' ? accent : style.ink
      if (tag === 'text') {
        doc.font(chooseFont(text, style.font), 13).fillColor(color)
        doc.text(text, +read('x'), +read('y'), { lineBreak: false, baseline: 'alphabetic' })
      } else if (read('fill') === 'none') {
        const line = doc.path(read('d'))
        ;(read('stroke-dasharray') ? line.dash(4, {}) : line.undash()).stroke(color)
      } else doc.path(read('d')).fill(color === accent ? accent : '#dfe6ef')
    }
    doc.restore()
    moveBelow(y + h * scale)
    write(caption, { font: style.italic, size: size * 0.88, color: gray, align: 'center' })
    skip(0.6)
  }

  function moveBelow(y: number) {
    const next = y + leading * 1.3
    doc.x = left
    doc.y = look === 'handwritten' ? top + Math.ceil((next - top) / leading) * leading : next
  }

  /** Writes a paragraph whose first baseline is at `doc.y`, and moves to the baseline of the next one. */
  function write(content: string | Run[], { indent = 0, align, ...form }: Form = {}) {
    const runs = typeof content === 'string' ? splitByFont(content, form.font ?? style.font) : content
    const color = form.color ?? (isOnCover() ? 'white' : style.ink)
    for (const [index, { text, font, isStrong }] of runs.entries()) {
      doc.font(font, form.size ?? size).fillColor(isStrong ? accent : color)
      const options = {
        lineGap: (form.leading ?? leading) - doc.currentLineHeight(false),
        width: textWidth - indent,
        continued: index < runs.length - 1,
        baseline: 'alphabetic' as const,
        align,
      }
      if (index === 0) doc.text(text, left + indent, doc.y, options)
      else doc.text(text, options)
    }
    doc.x = left
  }

  function readRuns(tokens: Token[]): Run[] {
    const fonts: Record<string, string> = { strong: style.bold, em: style.italic }
    return tokens.flatMap((token) =>
      splitByFont('text' in token ? token.text : '', fonts[token.type] ?? style.font).map((run) => ({
        ...run,
        isStrong: token.type === 'strong',
      })),
    )
  }

  /** Words in tables and images have a single font. */
  function chooseFont(text: string, font: string) {
    return splitByFont(text, font).some((run) => run.font === 'symbols') ? 'symbols' : font
  }

  function splitByFont(text: string, font: string): Run[] {
    return text
      .split(font === 'hand' ? symbols.hand : symbols.typed)
      .map((part, index) => ({ text: part, font: index % 2 === 0 ? font : 'symbols' }))
      .filter((run) => run.text !== '')
  }

  function numberPages() {
    for (let index = look === 'slides' ? 1 : 0; index < doc.bufferedPageRange().count; index++) {
      doc.switchToPage(index)
      doc.page.margins.bottom = 0
      doc
        .font(style.font, 9)
        .fillColor(gray)
        .text(course.code, left, height - 34, { lineBreak: false })
      doc.text(String(index + 1), width - right - 14, height - 34, { lineBreak: false })
    }
  }
}
