import { createHash, randomBytes } from 'node:crypto'
import { pdfSaying } from '../../server/test/pdf-kinds.ts'
import { type Answer, type Attempt, Caller } from '../caller.ts'
import {
  accountKey,
  type Book,
  type Change,
  fileKey,
  gone,
  noteKey,
  passwordKey,
  ratingKey,
  rewritten,
  viewedKey,
} from './book.ts'
import { describeDetails } from './world.ts'

export type Around = {
  book: Book
  attempts: Attempt[]
  /** What was seen that should not be, besides what the book finds. */
  faults: string[]
  /** Ids of notes by their titles, once somebody was told. */
  ids: Map<string, string>
  /** A server that takes requests; waits for one. */
  origin(): Promise<string>
  /** The token of the link that was mailed to an address; null until it comes. */
  mailedToken(email: string): string | null
}

type Details = { courseCode: string; academicYear: string; instructor: string; isAnonymous: boolean }

/** Within these a token that was replaced is answered with its successor (decision 8), with a second for the way. */
const graceMs = 9_000
/** A mail that is tried again waits longer each time. */
const mailPatienceMs = 15 * 60_000
const courses = ['MAT137', 'PHY100', 'CSC148', 'BIO120']
const academicYear = '2025–26'
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(Math.random() * from.length)]
const newPassword = () => `Aa1!${randomBytes(12).toString('base64url')}`

/** After the book: whether a change was made, by the answer. What may have been begun counts as unanswered. */
function settle(changes: Change[], answer: Answer | null): boolean {
  const isDone = answer !== null && answer.status < 300
  const isRefused = answer !== null && answer.status >= 400 && answer.status < 500
  for (const change of changes) {
    if (isDone) change.acknowledged()
    else if (isRefused) change.refused()
    else change.unanswered()
  }
  return isDone
}

/** A program that does what a student does with a browser, on whichever server answers, and has it written down. */
export class ChaosStudent extends Caller {
  readonly #around: Around
  #origin = ''
  /** Since when the present refresh cookie may have been replaced without our being told. */
  #lostRefreshMs: number | null = null
  /** How often a session was over because its refresh was lost for longer than the grace. */
  outOfGrace = 0

  constructor(email: string, around: Around) {
    super(() => this.#origin, email, around.attempts)
    this.#around = around
  }

  /** Registers, waits for the mail, verifies and logs in. @returns whether all of it was acknowledged. */
  async join(): Promise<boolean> {
    const { book, mailedToken } = this.#around
    const password = newPassword()
    const registering = book.change(accountKey(this.email), 'waiting')
    const account = { name: 'Ada Okafor', email: this.email, password, confirmPassword: password }
    if (!settle([registering], await this.#ask('POST', '/api/users/', account))) return false
    const deadline = Date.now() + mailPatienceMs
    let token = mailedToken(this.email)
    for (; token === null; token = mailedToken(this.email)) {
      if (Date.now() > deadline) {
        this.#around.faults.push(`No mail came to ${this.email}`)
        return false
      }
      await rest(200)
    }
    return this.#verify(token, password)
  }

  async #verify(token: string, password: string): Promise<boolean> {
    const { book } = this.#around
    // A link that was used is a success again, so nobody has to know what became of the first try.
    for (;;) {
      const verifying = book.change(accountKey(this.email), 'verified')
      const answer = await this.#ask('POST', '/api/users/verify', { token })
      if (settle([verifying], answer)) break
      if (answer && answer.status < 500) {
        this.#around.faults.push(`The link that was mailed to ${this.email} was answered ${answer.status}`)
        return false
      }
      await rest(500)
    }
    book.change(passwordKey(this.email), password).acknowledged()
    await this.logIn()
    return true
  }

  /** With a password that may be right; what it was is known afterwards. */
  async logIn(): Promise<void> {
    const { book, faults } = this.#around
    const key = passwordKey(this.email)
    this.#lostRefreshMs = null
    for (;;) {
      const tried = book.may(key).toReversed()
      let refused = 0
      for (const password of tried) {
        this.#origin = await this.#around.origin()
        const answer = await this.enter(password, tried.length > 1 ? [200, 401] : [200])
        if (answer?.status === 200) {
          book.see(key, password)
          return
        }
        if (answer?.status === 401) refused++
      }
      if (refused === tried.length) {
        faults.push(`No password of ${this.email} is right any more`)
        return
      }
      await rest(500)
    }
  }

  /** The refresh token that its next request brings. */
  get cookie(): string {
    return this.refreshCookie
  }

  /** A request of one's own making, to whichever server answers. */
  async send(method: string, path: string, payload?: object): Promise<Answer | null> {
    this.#origin = await this.#around.origin()
    return this.ask(method, path, payload)
  }

  override take(answer: Answer): void {
    super.take(answer)
  }

  /** Sends with the session there is, and once more after a refresh, as the pages do. */
  async #ask(method: string, path: string, payload?: object | FormData, expected = [200, 201, 204, 404]) {
    this.#origin = await this.#around.origin()
    const isPublic = ['/api/users/', '/api/users/verify'].includes(path)
    const first = await this.ask(method, path, payload, isPublic ? expected : [...expected, 401])
    if (first?.status !== 401 || isPublic) return first
    await this.refresh()
    this.#origin = await this.#around.origin()
    return this.ask(method, path, payload, expected)
  }

  /** Asks until it is answered: as long as nobody answers, nobody has said that the session is over. */
  async refresh(): Promise<void> {
    for (;;) {
      this.#origin = await this.#around.origin()
      const begunMs = performance.now()
      const answer = await this.ask('POST', '/api/users/auth/refresh', undefined, [200, 401])
      if (answer?.status === 200) {
        this.#lostRefreshMs = null
        this.take(answer)
        return
      }
      if (answer?.status === 401) {
        const isLate = this.#lostRefreshMs !== null && begunMs - this.#lostRefreshMs > graceMs
        if (isLate) this.outOfGrace++
        else this.#around.faults.push(`${this.email} was logged out`)
        return this.logIn()
      }
      this.#lostRefreshMs ??= begunMs
      await rest(250)
    }
  }

  /** @param count files of one request, which are kept all or not at all. @returns titles of notes that are there now. */
  async upload({ isAnonymous = Math.random() < 0.4, count = Math.random() < 0.2 ? 2 : 1 } = {}): Promise<string[]> {
    const { book, ids } = this.#around
    const details = { courseCode: pick(courses) ?? '', academicYear, instructor: '-', isAnonymous }
    const files = Array.from({ length: count }, () => {
      const title = randomBytes(8).toString('hex')
      // What follows the end of a PDF is ignored by readers, so every file is a different one.
      return { title, bytes: Buffer.concat([pdfSaying(`Lemma ${title}`), randomBytes(20_000)]) }
    })
    const form = new FormData()
    form.set('courseCode', details.courseCode)
    form.set('academicYear', academicYear)
    form.set('isAnonymous', String(isAnonymous))
    for (const { title, bytes } of files) {
      form.append('note', new Blob([bytes], { type: 'application/pdf' }), `${title}.pdf`)
    }
    const titles = files.map(({ title }) => title)
    if (count > 1) book.upload(titles)
    const changes = files.flatMap(({ title, bytes }) => [
      book.change(fileKey(title), isAnonymous ? rewritten : hashOf(bytes)),
      book.change(noteKey(title), describeDetails(details)),
    ])
    const answer = await this.#ask('POST', '/api/notes', form, [201])
    if (!settle(changes, answer) || !answer) return []
    const { notes } = answer.body as { notes: { _id: string; title: string }[] }
    for (const { _id, title } of notes) ids.set(title, _id)
    return titles
  }

  async edit(title: string): Promise<void> {
    const { book, ids } = this.#around
    const id = ids.get(title)
    const before = book.sure(noteKey(title))
    if (!id || before === null) return
    const details: Details = {
      courseCode: pick(courses) ?? '',
      academicYear,
      instructor: `Dr ${randomBytes(3).toString('hex')}`,
      isAnonymous: Math.random() < 0.3,
    }
    const changes = [book.change(noteKey(title), describeDetails(details))]
    // A note that becomes anonymous gets another file.
    if (details.isAnonymous && before.endsWith('by name')) changes.push(book.change(fileKey(title), rewritten))
    settle(changes, await this.#ask('PATCH', `/api/users/me/notes/${id}`, details, [200]))
  }

  async remove(title: string): Promise<void> {
    const { book, ids } = this.#around
    const removing = book.change(noteKey(title), gone)
    settle([removing], await this.#ask('DELETE', `/api/users/me/notes/${ids.get(title)}`, undefined, [204]))
  }

  async rate(title: string): Promise<void> {
    const { book, ids } = this.#around
    const key = ratingKey(title, this.email)
    const before = book.sure(key) ?? 'none'
    if (book.version(key) > 0 && book.sure(key) === null) return
    const ratings = {
      like: [{ likes: '+' }, 'like'],
      dislike: [{ dislikes: '+' }, 'dislike'],
      none: [before === 'dislike' ? { dislikes: '-' } : { likes: '-' }, 'none'],
    } as const
    const [change, after] = ratings[pick(['like', 'dislike', 'none'] as const) ?? 'like']
    const rating = book.change(key, after, 'none')
    // One's own is refused: it may have been shared without an answer.
    settle([rating], await this.#ask('PATCH', `/api/notes/${ids.get(title)}/rating`, change, [200, 403, 404]))
  }

  /** Reads a file, and compares it. */
  async view(title: string): Promise<void> {
    const { book, ids, faults } = this.#around
    const [note, file] = [noteKey(title), fileKey(title)]
    const versions = () => [book.version(note), book.version(file)].join()
    const [before, wasThere, hash] = [versions(), book.sure(note), book.sure(file)]
    const answer = await this.#ask('GET', `/api/notes/${ids.get(title)}/view`)
    if (!answer || ![200, 404].includes(answer.status) || before !== versions() || wasThere === null) return
    const isThere = answer.status === 200
    if (isThere !== (wasThere !== gone)) faults.push(`A note that was ${wasThere} was answered ${answer.status}`)
    if (isThere && hash !== null && hash !== rewritten && hashOf(answer.bytes) !== hash) {
      faults.push(`The file of ${title} is not what was acknowledged`)
    }
  }

  /** Keeps what was viewed last, as the pages do. */
  async keepViewed(titles: string[]): Promise<void> {
    const { book, ids } = this.#around
    const recentlyViewedNotes = titles.map((title) => ids.get(title) ?? '')
    const keeping = book.change(viewedKey(this.email), titles.join(), '')
    settle([keeping], await this.#ask('PATCH', '/api/users/me', { recentlyViewedNotes }, [200]))
  }

  async changePassword(): Promise<void> {
    const { book } = this.#around
    const key = passwordKey(this.email)
    const currentPassword = book.sure(key)
    if (currentPassword === null) return this.logIn()
    const password = newPassword()
    const changing = book.change(key, password)
    const change = { currentPassword, password, confirmPassword: password }
    const answer = await this.#ask('POST', '/api/users/me/password', change, [200])
    settle([changing], answer)
    // Whoever was not told tries what the password is now.
    if (!answer || answer.status >= 500) await rest(1_000).then(() => this.logIn())
  }

  /** An acknowledged logout holds at once, on every server. */
  async logOutAndIn(): Promise<void> {
    const answer = await this.#ask('POST', '/api/users/logout', undefined, [204])
    if (answer?.status === 204) {
      this.#origin = await this.#around.origin()
      const after = await this.ask('GET', '/api/users/me', undefined, [401])
      if (after?.status === 200) this.#around.faults.push(`${this.email} was let in after a logout`)
    }
    await this.logIn()
  }

  async list(): Promise<void> {
    await this.#ask(
      'GET',
      pick(['/api/notes?sortBy=likes', '/api/notes', '/api/users/me/notes', '/api/users/me']) ?? '',
    )
  }
}

export const rest = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
