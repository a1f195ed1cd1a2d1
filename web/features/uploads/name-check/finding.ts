/** What looking for a student's name in a file came to. */
export type NameScan = {
  /** Pages that name the student, in order, with the first place of each; in text that is seen, invisible, or both. */
  pages: {
    page: number
    excerpt: { before: string; name: string; after: string }
    isShown: boolean
    isHidden: boolean
  }[]
  /** So many from the first on; fewer than there are where the file is long or hard to read. */
  pagesRead: number
  pageCount: number | null
  /** False for a scan: there is nothing to be read in it. */
  hasText: boolean
}
