/** Each is a call of its own, one after another, before the list is shown. */
const mostPages = 10

type Entry = { key?: string; pages?: number } | null
const entry = () => history.state as Entry

/** What the entry that this document begins at had loaded. Later ones find their lists in the cache. */
let atStart = entry()?.pages ?? 1

/** How many pages of its list to load at once: a reload shows as much as was there before. */
export function takeKeptPages(): number {
  const pages = Math.min(mostPages, atStart)
  atStart = 1
  return pages
}

/** Writes down in the history how far a list has been loaded, unless one is on the way to another entry. */
export function keepPages(key: string, pages: number): void {
  const { key: current, pages: before = 1, ...rest } = entry() ?? {}
  if (current === key && before !== pages) history.replaceState({ ...rest, key, pages }, '')
}
