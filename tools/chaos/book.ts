/** What was read of a library at one moment: its rows, and its files from the disk. */
export type World = {
  /** By title, which is nobody else's. */
  notes: Map<string, SeenNote>
  /** By `ratingKey`. */
  ratings: Map<string, string>
  /** Titles, the last viewed first, by e-mail. */
  viewed: Map<string, string[]>
  /** `verified` or `waiting`, by e-mail. */
  accounts: Map<string, string>
  /** What contradicts itself, in a line each: counts that are not those of the ratings, a file that is not there. */
  half: string[]
  /** Files that nothing in the database knows. */
  orphans: string[]
}
export type SeenNote = { details: string; sha256: string }

export type Faults = { lost: string[]; half: string[]; orphans: string[] }

/** Every value that something may have by now: one where it was acknowledged, several where an answer never came. */
type Fact = { may: Set<string>; isAsked: boolean; version: number }

/** A change that somebody asked for. It ends in one of three ways. */
export type Change = {
  acknowledged(): void
  /** It has certainly not been made. */
  refused(): void
  /** Nobody said: either is right from now on, until it is seen. */
  unanswered(): void
}

export const gone = 'gone'
/** Of a file that Lectern has rewritten: whatever is seen first is what it has to stay. */
export const rewritten = 'rewritten'
export const noteKey = (title: string) => `note ${title}`
export const fileKey = (title: string) => `file ${title}`
export const ratingKey = (title: string, email: string) => `rating ${title} ${email}`
export const viewedKey = (email: string) => `viewed ${email}`
export const accountKey = (email: string) => `account ${email}`
export const passwordKey = (email: string) => `password ${email}`

/** A book of every acknowledged answer, and of what may have been done without one. */
export class Book {
  readonly #facts = new Map<string, Fact>()
  /** Notes that came in one request: all of them or none. */
  readonly #uploads: string[][] = []
  readonly #touched = new Set<string>()
  /** How many changes were acknowledged; and how many had no answer, by what was seen of them later. */
  readonly counts = { acknowledged: 0, unanswered: 0, foundDone: 0, foundNotDone: 0 }

  /** Something is now asked to be so. @param before what it was, where the book does not know of it yet. */
  change(key: string, value: string, before = gone): Change {
    const fact = this.#facts.get(key) ?? { may: new Set([before]), isAsked: false, version: 0 }
    const earlier = fact.may
    const end = (may: Set<string>) => {
      fact.may = may
      fact.isAsked = false
      fact.version++
    }
    this.#facts.set(key, fact)
    this.#touched.add(key)
    fact.may = new Set([...earlier, value])
    fact.isAsked = true
    fact.version++
    return {
      acknowledged: () => {
        this.counts.acknowledged++
        end(new Set([value]))
      },
      refused: () => end(earlier),
      unanswered: () => {
        this.counts.unanswered++
        end(fact.may)
      },
    }
  }

  /** Notes that one request asks for. */
  upload(titles: string[]): void {
    this.#uploads.push(titles)
  }

  /** The one value that something has; null where that is not sure. */
  sure(key: string): string | null {
    const fact = this.#facts.get(key)
    const [value = null] = fact?.may ?? []
    return fact && !fact.isAsked && fact.may.size === 1 ? value : null
  }

  may(key: string): string[] {
    return [...(this.#facts.get(key)?.may ?? [])]
  }

  version(key: string): number {
    return this.#facts.get(key)?.version ?? 0
  }

  /** Titles of notes that are certainly there. */
  titles(): string[] {
    return this.#keysOf('note ').filter((title) => ![null, gone].includes(this.sure(noteKey(title))))
  }

  /** Something was looked at and found to be so. @returns whether it may be. */
  see(key: string, value: string): boolean {
    const fact = this.#facts.get(key)
    if (!fact) return false
    const isRight = fact.may.has(value) || fact.may.has(rewritten)
    if (fact.may.size > 1) this.counts[value === [...fact.may].at(-1) ? 'foundDone' : 'foundNotDone']++
    if (!isRight || fact.may.size > 1 || fact.may.has(rewritten)) {
      fact.may = new Set([value])
      fact.version++
    }
    return isRight
  }

  /** What was changed since the last comparison, with its version, for one that begins now. */
  touched(): Map<string, number> {
    const keys = [...this.#touched]
    this.#touched.clear()
    return this.#versions(keys)
  }

  /** For a comparison that came to nothing. */
  touch(keys: Map<string, number>): void {
    for (const key of keys.keys()) this.#touched.add(key)
  }

  all(): Map<string, number> {
    this.#touched.clear()
    return this.#versions([...this.#facts.keys()])
  }

  /**
   * Compares what was written down with what is there. What changes meanwhile is left for the next time.
   * @param asked from `touched` or `all`, taken before the world was looked at.
   */
  compare(asked: Map<string, number>, world: World): Faults {
    const faults: Faults = { lost: [], half: [...world.half], orphans: [...world.orphans] }
    const settled = [...asked].filter(([key, version]) => this.#isSettled(key, version)).map(([key]) => key)
    const left = new Set(asked.keys()).difference(new Set(settled))
    for (const key of left) this.#touched.add(key)
    faults.half.push(...this.#findHalfUploads(new Set(settled), world))
    for (const key of settled) {
      const seen = this.#read(key, world)
      const allowed = this.may(key)
      if (seen !== null && !this.see(key, seen)) faults.lost.push(`${key}: ${seen}, and not ${allowed.join(' or ')}`)
    }
    for (const title of world.notes.keys()) {
      if (!this.#facts.has(noteKey(title))) faults.lost.push(`${noteKey(title)}: nobody has shared it`)
    }
    return faults
  }

  #isSettled(key: string, version: number): boolean {
    const fact = this.#facts.get(key)
    return fact !== undefined && !fact.isAsked && fact.version === version
  }

  /** Only those whose answer never came can be told from what was deleted since. */
  #findHalfUploads(settled: Set<string>, world: World): string[] {
    return this.#uploads
      .filter((titles) => titles.every((title) => settled.has(noteKey(title)) && this.may(noteKey(title)).length > 1))
      .filter((titles) => new Set(titles.map((title) => world.notes.has(title))).size > 1)
      .map((titles) => `one upload, of which some is there: ${titles.join(', ')}`)
  }

  /** What the world says of a fact; null where it says nothing. */
  #read(key: string, { notes, ratings, viewed, accounts }: World): string | null {
    const [kind, subject = ''] = key.split(' ')
    switch (kind) {
      case 'note':
        return notes.get(subject)?.details ?? gone
      case 'file':
        return notes.get(subject)?.sha256 ?? null
      case 'rating':
        return notes.has(subject) ? (ratings.get(key) ?? 'none') : null
      case 'account':
        return accounts.get(subject) ?? gone
      case 'viewed': {
        // Notes that are gone leave the list.
        const seen = viewed.get(subject) ?? []
        const stillThere = (value: string) => value.split(',').filter((title) => notes.has(title))
        return this.may(key).find((value) => stillThere(value).join() === seen.join()) ?? seen.join()
      }
      default:
        return null
    }
  }

  #versions = (keys: string[]) => new Map(keys.map((key) => [key, this.version(key)]))
  #keysOf = (kind: string) =>
    [...this.#facts.keys()].filter((key) => key.startsWith(kind)).map((key) => key.slice(kind.length))
}
