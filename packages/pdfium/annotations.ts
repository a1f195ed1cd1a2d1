import { withMemory } from './memory.ts'
import type { PdfiumExports } from './pdfium-wasm.ts'
import { decodeUtf16 } from './text.ts'

const widget = 20 // FPDF_ANNOT_WIDGET

/** `layered` annotations belong to a layer, hidden or not. PDFium draws them in either case. */
export type Removable = 'signatures' | 'layered'
/** Covers FPDF_FORMFIELD_PUSHBUTTON to FPDF_FORMFIELD_TEXTFIELD; a signature has the next number. */
const isOrdinaryField = (type: number) => type >= 1 && type <= 6
const ordinaryTypes = ['Tx', 'Btn', 'Ch']
/** The limit for a field type in UTF-16. A longer type is not an ordinary one. */
const maxTypeBytes = 16

/** See `PdfiumDocument.removeAnnotations`. */
export function removeAnnotations(pdfium: PdfiumExports, form: Form, page: number, kinds: readonly Removable[]): void {
  for (let index = pdfium.FPDFPage_GetAnnotCount(page) - 1; index >= 0; index--) {
    const kind = kindOf(pdfium, form, page, index)
    if (kind && kinds.includes(kind)) pdfium.FPDFPage_RemoveAnnot(page, index)
  }
}

/** See `PdfiumDocument.removeFields`. */
export function removeFields(
  pdfium: PdfiumExports,
  form: Form,
  page: number,
  isUnwanted: (value: string) => boolean,
): number {
  let removed = 0
  for (let index = pdfium.FPDFPage_GetAnnotCount(page) - 1; index >= 0; index--) {
    if (isUnwanted(readFieldValue(pdfium, form, page, index))) {
      removed++
      pdfium.FPDFPage_RemoveAnnot(page, index)
    }
  }
  return removed
}

function readFieldValue(pdfium: PdfiumExports, form: Form, page: number, index: number): string {
  const annotation = pdfium.FPDFPage_GetAnnot(page, index)
  if (annotation === 0) return ''
  try {
    if (pdfium.FPDFAnnot_GetSubtype(annotation) !== widget) return ''
    const bytes = pdfium.FPDFAnnot_GetFormFieldValue(form.handle(), annotation, 0, 0)
    if (bytes <= 2) return ''
    return withMemory(pdfium, bytes, (value) => {
      pdfium.FPDFAnnot_GetFormFieldValue(form.handle(), annotation, value, bytes)
      return decodeUtf16(pdfium, value, bytes - 2)
    })
  } finally {
    pdfium.FPDFPage_CloseAnnot(annotation)
  }
}

function kindOf(pdfium: PdfiumExports, form: Form, page: number, index: number): Removable | null {
  const annotation = pdfium.FPDFPage_GetAnnot(page, index)
  if (annotation === 0) return null
  try {
    if (hasLayer(pdfium, annotation)) return 'layered'
    return pdfium.FPDFAnnot_GetSubtype(annotation) === widget && mayBeSignature(pdfium, form, annotation)
      ? 'signatures'
      : null
  } finally {
    pdfium.FPDFPage_CloseAnnot(annotation)
  }
}

/** A field that the form does not list counts as a signature unless its own type is an ordinary one. */
const mayBeSignature = (pdfium: PdfiumExports, form: Form, annotation: number) =>
  !isOrdinaryField(pdfium.FPDFAnnot_GetFormFieldType(form.handle(), annotation)) &&
  !ordinaryTypes.includes(readFieldType(pdfium, annotation))

const readFieldType = (pdfium: PdfiumExports, annotation: number): string =>
  withKey(pdfium, 'FT', (key) =>
    withMemory(pdfium, maxTypeBytes, (value) => {
      const bytes = pdfium.FPDFAnnot_GetStringValue(annotation, key, value, maxTypeBytes)
      // The value ends with a zero character.
      return decodeUtf16(pdfium, value, Math.max(0, Math.min(bytes, maxTypeBytes) - 2))
    }),
  )

const hasLayer = (pdfium: PdfiumExports, annotation: number): boolean =>
  withKey(pdfium, 'OC', (key) => pdfium.FPDFAnnot_HasKey(annotation, key) === 1)

function withKey<T>(pdfium: PdfiumExports, key: string, work: (pointer: number) => T): T {
  const bytes = Buffer.from(`${key}\0`)
  return withMemory(pdfium, bytes.length, (pointer) => {
    new Uint8Array(pdfium.memory.buffer).set(bytes, pointer)
    return work(pointer)
  })
}

/** The state that PDFium needs to draw form fields. It is created on demand, because that reads every field. */
export type Form = { handle(): number; close(): void }

/** No script can run, because this build of PDFium contains no script engine. */
export function createForm(pdfium: PdfiumExports, document: number): Form {
  let info = 0
  let form = 0
  return {
    handle() {
      if (info === 0) {
        info = pdfium.PDFiumExt_OpenFormFillInfo()
        form = pdfium.PDFiumExt_InitFormFillEnvironment(document, info)
      }
      return form
    },
    close() {
      if (info === 0) return
      pdfium.PDFiumExt_ExitFormFillEnvironment(form)
      pdfium.PDFiumExt_CloseFormFillInfo(info)
    },
  }
}
