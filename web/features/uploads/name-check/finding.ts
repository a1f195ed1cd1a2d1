/** The result of the search for the author's name in a file. */
export type NameScan = {
  /** Pages that name the author, in order, each with its first match, in visible text, invisible text, or both. */
  pages: {
    page: number
    excerpt: { before: string; name: string; after: string }
    isShown: boolean
    isHidden: boolean
  }[]
  /** The number of pages read from the start; it is less than `pageCount` if the file is long or hard to read. */
  pagesRead: number
  pageCount: number | null
  /** False for a scan, which contains no text. */
  hasText: boolean
}
