import { createHash, randomBytes } from 'node:crypto'
import { onePagePdf } from '../../server/test/pdf.ts'
import { type Attempt, Caller, studentPassword } from '../caller.ts'

/** What was acknowledged of a note. Null: it was asked for and not answered, so that either is right. */
export type BookedNote = { owner: string; sha256: string; isThere: boolean | null }

export type Book = {
  attempts: Attempt[]
  notes: Map<string, BookedNote>
  /** By note and student. */
  likes: Map<string, boolean | null>
}

export const openBook = (): Book => ({ attempts: [], notes: new Map(), likes: new Map() })
const likeKey = (noteId: string, email: string) => `${noteId} ${email}`

/** A program that does what a student does, and writes down what it is told. */
export class Student extends Caller {
  readonly #book: Book

  constructor(url: string, email: string, book: Book) {
    super(() => url, email, book.attempts)
    this.#book = book
  }

  async logIn(): Promise<void> {
    const answer = await this.enter(studentPassword)
    if (answer?.status !== 200) throw new Error(`Nobody is logged in: ${answer?.status}`)
  }

  /** @returns the id of a note that is there now, null where it may not be. */
  async upload(pdf = onePagePdf): Promise<string | null> {
    // What follows the end of a PDF is ignored by readers, so every file is a different one.
    const bytes = Buffer.concat([pdf, randomBytes(50_000)])
    const form = new FormData()
    for (const [name, value] of Object.entries({ courseCode: 'MAT137', academicYear: '2025–26' })) form.set(name, value)
    form.set('note', new Blob([bytes], { type: 'application/pdf' }), 'week 1.pdf')
    const answer = await this.ask('POST', '/api/notes', form, [201])
    if (answer?.status !== 201) return null
    const id = (answer.body as { notes: { _id: string }[] }).notes[0]?._id ?? ''
    this.#book.notes.set(id, { owner: this.email, sha256: hashOf(bytes), isThere: true })
    return id
  }

  async like(noteId: string): Promise<void> {
    const key = likeKey(noteId, this.email)
    this.#book.likes.set(key, null)
    const answer = await this.ask('PATCH', `/api/notes/${noteId}/rating`, { likes: '+' }, [200, 404])
    if (answer?.status === 200) this.#book.likes.set(key, true)
  }

  async remove(noteId: string): Promise<void> {
    const noted = this.#book.notes.get(noteId)
    if (!noted) return
    noted.isThere = null
    const answer = await this.ask('DELETE', `/api/users/me/notes/${noteId}`, undefined, [204])
    if (answer?.status === 204) noted.isThere = false
  }

  /** @returns whether a note is as the book has it; null where nobody answered. */
  async compare(noteId: string): Promise<boolean | null> {
    const before = this.#book.notes.get(noteId)?.isThere
    const answer = await this.ask('GET', `/api/notes/${noteId}/view`, undefined, [200, 404])
    const noted = this.#book.notes.get(noteId)
    if (!answer || !noted || ![200, 404].includes(answer.status)) return null
    if (before !== noted.isThere || noted.isThere === null) return null
    return noted.isThere ? answer.status === 200 && hashOf(answer.bytes) === noted.sha256 : answer.status === 404
  }
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
