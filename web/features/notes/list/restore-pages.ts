/** Restored pages are requested one after another before the list is shown, so their number is limited. */
const mostPages = 10

type Entry = { key?: string; pages?: number } | null
const entry = () => history.state as Entry

/** The history entry at which this document started, and its page count. Later entries use the query cache. */
const start = entry()
let atStart = start?.pages ?? 1

/** Returns how many pages of a list to load: after a reload, as many as before. */
export function getRestoredPageCount(): number {
  // If the user was logged out, the list was not shown, and the stored count must not apply to another list.
  const pages = entry()?.key === start?.key ? Math.min(mostPages, atStart) : 1
  atStart = 1
  return pages
}

/** Stores in the history entry how many pages are loaded, unless the current entry is already another one. */
export function savePageCount(key: string, pages: number): void {
  const { key: current, pages: before = 1, ...rest } = entry() ?? {}
  if (current === key && before !== pages) history.replaceState({ ...rest, key, pages }, '')
}
