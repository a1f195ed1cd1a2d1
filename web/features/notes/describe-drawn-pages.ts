import type { Note } from '../../../packages/contract/notes.ts'

const maxNamed = 12

/** Describes to the author which pages and links changed when the file was anonymised; null if none did. */
export function describeDrawnPages({ drawnPages, droppedLinks = 0, pageCount }: Note['document']): string | null {
  const pages = drawnPages && `${nameOf(drawnPages, pageCount)} so that nothing in the file names you`
  const count = droppedLinks === 1 ? 'A link or form value' : `${droppedLinks} links or form values`
  const links = droppedLinks > 0 && `${count} with your name left out`
  return [pages, links].filter(Boolean).join(' · ') || null
}

function nameOf(pages: number[], pageCount: number | null): string {
  if (pages.length === 1) return `Page ${pages[0]} became a picture`
  if (pages.length === pageCount) return 'All pages became pictures'
  if (pages.length > maxNamed) return `${pages.length} pages became pictures`
  return `Pages ${pages.slice(0, -1).join(', ')} and ${pages.at(-1)} became pictures`
}
