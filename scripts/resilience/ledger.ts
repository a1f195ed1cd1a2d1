export const pick = <T>(values: readonly T[]) => values[Math.floor(Math.random() * values.length)] as T

/** Values by the keys of the ledger, as read from the database at one moment. */
export type Snapshot = Map<string, string>

/** All possible values: one after an acknowledgement, several while a response is missing. */
type Entry = { values: Set<string>; isPending: boolean; version: number }

/** Ends a change. Without a response, or after a server error, it may or may not have been made. */
export type Settle = (outcome: 'acknowledged' | 'refused' | 'unanswered') => void

export const none = 'none'
/** The unknown hash of a file that the server rewrites: the first observed hash must then stay the same. */
export const rewritten = 'rewritten'
export const noteKey = (title: string) => `note ${title}`
export const fileKey = (title: string) => `file ${title}`
export const ratingKey = (title: string, email: string) => `rating ${title} ${email}`

/** Records acknowledged changes, and changes that may have been made without a response. */
export class Ledger {
  readonly #entries = new Map<string, Entry>()
  /** Titles of notes that were uploaded in one request: either all or none of them are kept. */
  readonly uploads: string[][] = []

  /** Begins a change. */
  change(key: string, value: string): Settle {
    const entry = this.#entries.get(key) ?? { values: new Set([none]), isPending: false, version: 0 }
    const earlier = entry.values
    this.#entries.set(key, entry)
    Object.assign(entry, { values: new Set([...earlier, value]), isPending: true, version: entry.version + 1 })
    return (outcome) => {
      if (outcome === 'acknowledged') entry.values = new Set([value])
      if (outcome === 'refused') entry.values = earlier
      entry.isPending = false
      entry.version++
    }
  }

  /** Returns the only possible value; null if there are several. */
  getCertain(key: string): string | null {
    const entry = this.#entries.get(key)
    const [value = null] = entry?.values ?? []
    return entry && !entry.isPending && entry.values.size === 1 ? value : null
  }

  getPossible(key: string): string[] {
    return [...(this.#entries.get(key)?.values ?? [])]
  }

  getVersion(key: string): number {
    return this.#entries.get(key)?.version ?? 0
  }

  /** Lists the titles of notes that certainly exist. */
  listTitles(): string[] {
    const titles = [...this.#entries.keys()].filter((key) => key.startsWith('note ')).map((key) => key.slice(5))
    return titles.filter((title) => ![null, none].includes(this.getCertain(noteKey(title))))
  }

  /**
   * Records an observed value, which is then the only possible one.
   * @returns whether it was possible.
   */
  observe(key: string, value: string): boolean {
    const entry = this.#entries.get(key)
    if (!entry) return false
    const isPossible = entry.values.has(value) || entry.values.has(rewritten)
    if (entry.values.size > 1 || !entry.values.has(value)) {
      entry.values = new Set([value])
      entry.version++
    }
    return isPossible
  }

  /** Call this before the snapshot is read: `compare` ignores later changes. */
  takeVersions(): Map<string, number> {
    return new Map([...this.#entries].map(([key, { version }]) => [key, version]))
  }

  /** @returns lost changes and contradictions to acknowledged ones. */
  compare(versions: Map<string, number>, snapshot: Snapshot): string[] {
    const isSettled = (key: string) => versions.get(key) === this.getVersion(key) && !this.#entries.get(key)?.isPending
    // A note of a partly kept upload can have been deleted since, unless its response is still missing.
    const isUncertain = (key: string) => isSettled(key) && this.getCertain(key) === null
    const problems = this.uploads
      .filter((titles) => titles.every((title) => isUncertain(noteKey(title))))
      .filter((titles) => new Set(titles.map((title) => snapshot.has(noteKey(title)))).size > 1)
      .map((titles) => `Only a part of an upload exists: ${titles.join(', ')}`)
    for (const key of [...versions.keys()].filter(isSettled)) {
      const [possible, found] = [this.getPossible(key), this.#find(key, snapshot)]
      if (found !== null && !this.observe(key, found)) problems.push(`${key} is ${found}, not ${possible.join(' or ')}`)
    }
    for (const key of snapshot.keys()) {
      if (key.startsWith('note ') && !this.#entries.has(key)) problems.push(`${key} was uploaded by no user`)
    }
    return problems
  }

  /** Returns null if the snapshot does not determine the value. */
  #find(key: string, snapshot: Snapshot): string | null {
    const [kind, title = ''] = key.split(' ')
    if (['file', 'rating'].includes(kind ?? '') && !snapshot.has(noteKey(title))) return null
    return snapshot.get(key) ?? none
  }
}
