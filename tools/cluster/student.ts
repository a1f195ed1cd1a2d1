import { createHash, randomBytes } from 'node:crypto'
import { onePagePdf } from '../../server/test/pdf.ts'

export type Answer = { status: number; body: unknown; bytes: Buffer; headers: Headers }

/** How a request ended. `broken`: there was no answer of Lectern. Moments are of `performance.now()`. */
export type Attempt = {
  what: string
  begunMs: number
  endedMs: number
  outcome: 'acknowledged' | 'refused' | 'broken' | 'wrong'
  status: number
}

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

const tryAgain = [502, 503, 504]
const waitMs = 60_000
export const studentPassword = 'Marigold desk 42!'

/** A program that does what a student does, and writes down what it is told. */
export class Student {
  readonly email: string
  readonly #url: string
  readonly #book: Book
  #accessToken = ''
  #refreshCookie = ''

  constructor(url: string, email: string, book: Book) {
    this.#url = url
    this.email = email
    this.#book = book
  }

  /** @returns null where there was no answer. */
  async ask(
    method: string,
    path: string,
    payload?: object | FormData,
    expected = [200, 201, 204],
  ): Promise<Answer | null> {
    const attempt = {
      what: `${method} ${path.replaceAll(/[0-9a-f-]{36}/g, ':id').replace(/\?.*/, '')}`,
      begunMs: performance.now(),
    }
    const isForm = payload instanceof FormData
    const headers = {
      ...(this.#accessToken && { authorization: `Bearer ${this.#accessToken}` }),
      ...(this.#refreshCookie && { cookie: this.#refreshCookie }),
      ...(payload && !isForm && { 'content-type': 'application/json' }),
    }
    const body = payload === undefined || isForm ? payload : JSON.stringify(payload)
    try {
      const signal = AbortSignal.timeout(waitMs)
      const response = await fetch(`${this.#url}${path}`, { method, headers, signal, ...(body && { body }) })
      const bytes = Buffer.from(await response.arrayBuffer())
      const { status } = response
      const isJson = response.headers.get('content-type')?.includes('json') ?? false
      const isLecterns = isJson || !tryAgain.includes(status)
      const outcome = expected.includes(status) ? 'acknowledged' : tryAgain.includes(status) ? 'refused' : 'wrong'
      this.#book.attempts.push({
        ...attempt,
        endedMs: performance.now(),
        outcome: isLecterns ? outcome : 'broken',
        status,
      })
      return isLecterns
        ? { status, bytes, headers: response.headers, body: isJson ? JSON.parse(bytes.toString()) : null }
        : null
    } catch {
      this.#book.attempts.push({ ...attempt, endedMs: performance.now(), outcome: 'broken', status: 0 })
      return null
    }
  }

  async logIn(): Promise<void> {
    const answer = await this.ask('POST', '/api/users/login', { email: this.email, password: studentPassword })
    if (answer?.status !== 200) throw new Error(`Nobody is logged in: ${answer?.status}`)
    this.#accessToken = (answer.body as { accessToken: string }).accessToken
    this.#refreshCookie =
      (answer.headers.getSetCookie().find((one) => one.includes('refresh')) ?? '').split(';')[0] ?? ''
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
