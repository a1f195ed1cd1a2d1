import { withMemory, withPage } from './memory.ts'
import type { PdfiumExports } from './pdfium-wasm.ts'

/** A character that PDFium reads on a page, in page coordinates: points from the origin of the page box, y upwards. */
export type Character = {
  codePoint: number
  /** Whether PDFium inferred this space or line break from a gap. It is not drawn and has no position. */
  isGenerated: boolean
  /** The position on the baseline. */
  x: number
  y: number
  /** `[left, bottom, right, top]`, as wide as the advance to the next character and as high as the font. */
  box: [number, number, number, number]
  /** The effective font size in points. */
  size: number
  /** The counter-clockwise angle in radians. */
  angle: number
}

const maxCharacters = 200_000
/** The size of a matrix, which is the largest result. */
const roomBytes = 24

/** See `PdfiumDocument.readCharacters`. */
export function readCharacters(pdfium: PdfiumExports, page: number): Character[] {
  removeActualText(pdfium, page)
  const text = pdfium.FPDFText_LoadPage(page)
  if (text === 0) return []
  try {
    const length = Math.min(pdfium.FPDFText_CountChars(text), maxCharacters)
    return withMemory(pdfium, roomBytes, (room) =>
      Array.from({ length }, (_, index) => readCharacter(pdfium, text, index, room)),
    )
  } finally {
    pdfium.FPDFText_ClosePage(text)
  }
}

function readCharacter(pdfium: PdfiumExports, text: number, index: number, room: number): Character {
  const floats = (count: number) => new Float32Array(pdfium.memory.buffer.slice(room, room + 4 * count))
  new Uint8Array(pdfium.memory.buffer, room, roomBytes).fill(0)
  pdfium.FPDFText_GetMatrix(text, index, room)
  const [a = 1, b = 0, c = 0, d = 1] = floats(4)
  pdfium.FPDFText_GetLooseCharBox(text, index, room)
  const [left = 0, top = 0, right = 0, bottom = 0] = floats(4)
  pdfium.FPDFText_GetCharOrigin(text, index, room, room + 8)
  const [x = 0, y = 0] = new Float64Array(pdfium.memory.buffer.slice(room, room + 16))
  return {
    codePoint: pdfium.FPDFText_GetUnicode(text, index) >>> 0,
    isGenerated: pdfium.FPDFText_IsGenerated(text, index) === 1,
    x,
    y,
    box: [left, bottom, right, top],
    size: pdfium.FPDFText_GetFontSize(text, index) * Math.hypot(c, d),
    angle: Math.atan2(b, a),
  }
}

const form = 5 // FPDF_PAGEOBJ_FORM
const maxDepth = 20
const key = Buffer.from('ActualText\0')

/**
 * Makes PDFium read the drawn text: a file can declare a replacement text for any part of a page. This changes the page
 * in memory.
 */
function removeActualText(pdfium: PdfiumExports, page: number): void {
  withMemory(pdfium, key.length, (pointer) => {
    new Uint8Array(pdfium.memory.buffer).set(key, pointer)
    const visit = (object: number, depth: number) => {
      for (let index = pdfium.FPDFPageObj_CountMarks(object) - 1; index >= 0; index--)
        pdfium.FPDFPageObjMark_RemoveParam(object, pdfium.FPDFPageObj_GetMark(object, index), pointer)
      if (pdfium.FPDFPageObj_GetType(object) !== form || depth > maxDepth) return
      for (let index = pdfium.FPDFFormObj_CountObjects(object) - 1; index >= 0; index--)
        visit(pdfium.FPDFFormObj_GetObject(object, index), depth + 1)
    }
    for (let index = pdfium.FPDFPage_CountObjects(page) - 1; index >= 0; index--)
      visit(pdfium.FPDFPage_GetObject(page, index), 0)
  })
}

export function readPageText(
  pdfium: PdfiumExports,
  document: number,
  index: number,
  maxCharacters: number,
): string | null {
  return withPage(pdfium, document, index, (page) => {
    const text = pdfium.FPDFText_LoadPage(page)
    if (text === 0) return null
    try {
      const count = Math.min(pdfium.FPDFText_CountChars(text), maxCharacters)
      if (count <= 0) return ''
      // The text is UTF-16 and ends with a zero character.
      const bytes = 2 * (count + 1)
      return withMemory(pdfium, bytes, (pointer) => {
        const written = pdfium.FPDFText_GetText(text, 0, count, pointer)
        return decodeUtf16(pdfium, pointer, 2 * Math.max(0, Math.min(written, count + 1) - 1))
      })
    } finally {
      pdfium.FPDFText_ClosePage(text)
    }
  })
}

/** Unpaired surrogates become `U+FFFD`. */
export const decodeUtf16 = (pdfium: PdfiumExports, pointer: number, bytes: number): string =>
  new TextDecoder('utf-16le').decode(new Uint8Array(pdfium.memory.buffer, pointer, bytes))
