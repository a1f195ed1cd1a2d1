/** Each is a call of its own, one after another, before the list is shown. */
const mostPages = 10

type Entry = { key?: string; pages?: number } | null
const entry = () => history.state as Entry

/** The entry that this document begins at, and what it had loaded. Later ones find their lists in the cache. */
const start = entry()
let atStart = start?.pages ?? 1

/** How many pages of its list to load at once: a reload shows as much as was there before. */
export function getRestoredPageCount(): number {
  // Where the list was not shown, as nobody was signed in any more, another one is not as long for that.
  const pages = entry()?.key === start?.key ? Math.min(mostPages, atStart) : 1
  atStart = 1
  return pages
}

/** Writes down in the history how far a list has been loaded, unless one is on the way to another entry. */
export function savePageCount(key: string, pages: number): void {
  const { key: current, pages: before = 1, ...rest } = entry() ?? {}
  if (current === key && before !== pages) history.replaceState({ ...rest, key, pages }, '')
}
