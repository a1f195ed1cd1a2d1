import type { Note } from '../../../packages/contract/notes.ts'

const maxNamed = 12

/** Describes to the author which pages and links changed when the file was anonymised; null if none did. */
export function describeDrawnPages({ drawnPages, droppedLinks = 0, pageCount }: Note['document']): string | null {
  const pages = drawnPages && `${nameOf(drawnPages, pageCount)} to remove your name`
  const links =
    droppedLinks === 1
      ? 'A link or form value with your name was removed'
      : droppedLinks > 0 && `${droppedLinks} links or form values with your name were removed`
  return [pages, links].filter(Boolean).join(' · ') || null
}

function nameOf(pages: number[], pageCount: number | null): string {
  if (pages.length === 1) return `Page ${pages[0]} was converted to an image`
  if (pages.length === pageCount) return 'All pages were converted to images'
  if (pages.length > maxNamed) return `${pages.length} pages were converted to images`
  return `Pages ${pages.slice(0, -1).join(', ')} and ${pages.at(-1)} were converted to images`
}
