import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { init } from '@embedpdf/pdfium'

/**
 * The functions of PDFium's C interface (fpdfview.h, fpdf_save.h, fpdf_text.h, fpdf_edit.h, fpdf_doc.h, fpdf_annot.h,
 * fpdf_formfill.h) used here. Pointers and handles are numbers.
 */
export type PdfiumExports = {
  memory: WebAssembly.Memory
  addFunction(f: WriteBlock, signature: string): number
  removeFunction(pointer: number): void
  malloc(size: number): number
  free(pointer: number): void
  FPDF_InitLibrary(): void
  FPDF_LoadMemDocument(data: number, size: number, password: number): number
  FPDF_CloseDocument(document: number): void
  FPDF_GetLastError(): number
  FPDF_GetPageCount(document: number): number
  FPDF_LoadPage(document: number, index: number): number
  FPDF_ClosePage(page: number): void
  FPDFPage_CountObjects(page: number): number
  FPDFPage_GetObject(page: number, index: number): number
  FPDFFormObj_CountObjects(form: number): number
  FPDFFormObj_GetObject(form: number, index: number): number
  FPDFPageObj_GetType(object: number): number
  FPDFPageObj_CountMarks(object: number): number
  FPDFPageObj_GetMark(object: number, index: number): number
  FPDFPageObjMark_RemoveParam(object: number, mark: number, key: number): number
  FPDF_GetPageSizeByIndexF(document: number, index: number, size: number): number
  FPDF_GetSecurityHandlerRevision(document: number): number
  PDFiumExt_OpenFormFillInfo(): number
  PDFiumExt_CloseFormFillInfo(info: number): void
  PDFiumExt_InitFormFillEnvironment(document: number, info: number): number
  PDFiumExt_ExitFormFillEnvironment(form: number): void
  FORM_OnAfterLoadPage(page: number, form: number): void
  FORM_OnBeforeClosePage(page: number, form: number): void
  FPDF_FFLDraw(
    form: number,
    bitmap: number,
    page: number,
    left: number,
    top: number,
    width: number,
    height: number,
    rotate: number,
    flags: number,
  ): void
  FPDFPage_GetAnnotCount(page: number): number
  FPDFPage_GetAnnot(page: number, index: number): number
  FPDFPage_CloseAnnot(annotation: number): void
  FPDFPage_RemoveAnnot(page: number, index: number): number
  FPDFAnnot_HasKey(annotation: number, key: number): number
  FPDFAnnot_GetSubtype(annotation: number): number
  FPDFAnnot_GetFormFieldType(form: number, annotation: number): number
  FPDFAnnot_GetStringValue(annotation: number, key: number, value: number, bytes: number): number
  FPDF_SaveAsCopy(document: number, writer: number, flags: number): number
  FPDF_GetPageWidthF(page: number): number
  FPDF_GetPageHeightF(page: number): number
  FPDFPage_GetRotation(page: number): number
  FPDF_GetPageBoundingBox(page: number, box: number): number
  FPDF_RenderPageBitmap(
    bitmap: number,
    page: number,
    left: number,
    top: number,
    width: number,
    height: number,
    rotate: number,
    flags: number,
  ): void
  FPDFBitmap_CreateEx(width: number, height: number, format: number, firstByte: number, stride: number): number
  FPDFBitmap_FillRect(bitmap: number, left: number, top: number, width: number, height: number, colour: number): number
  FPDFBitmap_Destroy(bitmap: number): void
  FPDFText_LoadPage(page: number): number
  FPDFText_ClosePage(textPage: number): void
  FPDFText_CountChars(textPage: number): number
  FPDFText_GetText(textPage: number, start: number, count: number, result: number): number
  FPDFText_GetUnicode(textPage: number, index: number): number
  FPDFText_IsGenerated(textPage: number, index: number): number
  FPDFText_GetFontSize(textPage: number, index: number): number
  FPDFText_GetMatrix(textPage: number, index: number, matrix: number): number
  FPDFText_GetCharOrigin(textPage: number, index: number, x: number, y: number): number
  FPDFText_GetLooseCharBox(textPage: number, index: number, box: number): number
  FPDFBookmark_GetFirstChild(document: number, bookmark: number): number
  FPDFBookmark_GetNextSibling(document: number, bookmark: number): number
  FPDFBookmark_GetTitle(bookmark: number, buffer: number, bytes: number): number
  FPDFBookmark_GetDest(document: number, bookmark: number): number
  FPDFBookmark_GetAction(bookmark: number): number
  FPDFAction_GetDest(document: number, action: number): number
  FPDFDest_GetDestPageIndex(document: number, destination: number): number
}

const wasm = new WebAssembly.Module(readFileSync(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm'))))

/**
 * Starts a PDFium with an empty memory of its own. It reaches no files and no network: the file system it sees
 * is an empty one in memory.
 */
export async function startPdfium(maxHeapBytes: number): Promise<PdfiumExports> {
  let exports: PdfiumExports | undefined
  const instantiateWasm = (
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ) => {
    const instance = new WebAssembly.Instance(
      wasm,
      limitHeap(imports, maxHeapBytes, () => exports?.memory),
    )
    exports = instance.exports as PdfiumExports
    done(instance, wasm)
    return instance.exports
  }
  const silent = () => {}
  const { pdfium } = await init({ instantiateWasm, print: silent, printErr: silent } as Parameters<typeof init>[0])
  if (!exports) throw new Error('PDFium did not start')
  // The library is set up by its C name without arguments: the defaults are what a viewer uses.
  exports.FPDF_InitLibrary()
  return { ...exports, addFunction: pdfium.addFunction, removeFunction: pdfium.removeFunction }
}

/** PDFium asks for more memory through one import; past the limit the answer is no, and it stops with an error. */
function limitHeap(
  imports: WebAssembly.Imports,
  maxBytes: number,
  memory: () => WebAssembly.Memory | undefined,
): WebAssembly.Imports {
  const env = imports.env
  const grow = env?.emscripten_resize_heap
  if (!env || typeof grow !== 'function') throw new Error('PDFium has another way to grow its memory')
  const growWithinLimit = (wantedBytes: number) => {
    if (wantedBytes >>> 0 > maxBytes) return 0
    grow(wantedBytes)
    return memory() !== undefined && (memory()?.buffer.byteLength ?? 0) >= wantedBytes >>> 0 ? 1 : 0
  }
  return { ...imports, env: { ...env, emscripten_resize_heap: growWithinLimit } }
}

/** `FPDF_FILEWRITE.WriteBlock`: the writer, where the bytes are, how many; 1 for success. */
type WriteBlock = (writer: number, data: number, size: number) => number

/**
 * Lets PDFium call `f` for as long as `work` runs.
 * @param work is given the function's pointer.
 */
export function withCallback<T>(pdfium: PdfiumExports, f: WriteBlock, work: (pointer: number) => T): T {
  const pointer = pdfium.addFunction(f, 'iiii')
  try {
    return work(pointer)
  } finally {
    pdfium.removeFunction(pointer)
  }
}
