import { withMemory } from './memory.ts'
import type { PdfiumExports } from './pdfium-wasm.ts'
import { decodeUtf16 } from './text.ts'

/** An entry of the file's table of contents. `page` counts from 1, `depth` from 0. */
export type Heading = { title: string; page: number; depth: number }

const maxTitleBytes = 2 * 500
const maxDepth = 16

/** Returns entries in file order. An entry without a target in the file is left out, but its children are kept. */
export function readOutline(pdfium: PdfiumExports, document: number, maxHeadings: number): Heading[] {
  const headings: Heading[] = []
  // Entries can form a cycle.
  const seen = new Set<number>()
  function readChildren(parent: number, depth: number): void {
    let entry = pdfium.FPDFBookmark_GetFirstChild(document, parent)
    while (entry !== 0 && seen.size < maxHeadings && !seen.has(entry)) {
      seen.add(entry)
      const title = readTitle(pdfium, entry)
      const page = findPage(pdfium, document, entry) + 1
      if (title !== '' && page > 0) headings.push({ title, page, depth })
      if (depth < maxDepth) readChildren(entry, depth + 1)
      entry = pdfium.FPDFBookmark_GetNextSibling(document, entry)
    }
  }
  readChildren(0, 0)
  return headings
}

/** An unreasonably long title is returned as an empty string. */
function readTitle(pdfium: PdfiumExports, entry: number): string {
  return withMemory(pdfium, maxTitleBytes, (pointer) => {
    const bytes = pdfium.FPDFBookmark_GetTitle(entry, pointer, maxTitleBytes)
    return bytes < 2 || bytes > maxTitleBytes ? '' : decodeUtf16(pdfium, pointer, bytes - 2)
  })
}

/** @returns -1 when the entry has no page of this file as its target. */
function findPage(pdfium: PdfiumExports, document: number, entry: number): number {
  const destination =
    pdfium.FPDFBookmark_GetDest(document, entry) ||
    pdfium.FPDFAction_GetDest(document, pdfium.FPDFBookmark_GetAction(entry))
  return destination === 0 ? -1 : pdfium.FPDFDest_GetDestPageIndex(document, destination)
}
