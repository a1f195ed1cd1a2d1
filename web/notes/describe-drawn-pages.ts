import type { Note } from '../../contract/notes.ts'

const maxNamed = 12

/** What the owner is told of pages that were drawn when the file was made anonymous; null where there are none. */
export function describeDrawnPages({ drawnPages, pageCount }: Note['document']): string | null {
  if (!drawnPages) return null
  return `${nameOf(drawnPages, pageCount)} so that nothing in the file names you`
}

function nameOf(pages: number[], pageCount: number | null): string {
  if (pages.length === 1) return `Page ${pages[0]} became a picture`
  if (pages.length === pageCount) return 'All pages became pictures'
  if (pages.length > maxNamed) return `${pages.length} pages became pictures`
  return `Pages ${pages.slice(0, -1).join(', ')} and ${pages.at(-1)} became pictures`
}
