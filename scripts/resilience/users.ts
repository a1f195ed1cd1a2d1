import { createHash, randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { createPdfWithText } from '../../server/testing/pdf-kinds.ts'
import { waitUntil } from '../../server/testing/services.ts'
import type { Environment } from './environment.ts'
import { fileKey, none, noteKey, pick, ratingKey, rewritten, type Settle } from './ledger.ts'

type Answer = { status: number; body: unknown; bytes: Buffer; headers: Headers }

const unavailable = [502, 503, 504]
const answerMs = 60_000
const courses = ['MAT137', 'PHY100', 'CSC148', 'BIO120']
const academicYear = '2025–26'
const userCount = 6
const registerEveryMs = 4_000
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** @returns whether the changes were acknowledged. */
function settleAll(changes: Settle[], answer: Answer | null): boolean {
  const { status } = answer ?? { status: 500 }
  for (const settle of changes) settle(status < 300 ? 'acknowledged' : status < 500 ? 'refused' : 'unanswered')
  return status < 300
}

/** Simulates a student in a browser, and records acknowledged changes in the ledger. */
export class User {
  readonly email: string
  refreshCookie = ''
  readonly #password = `Aa1!${randomBytes(12).toString('base64url')}`
  #accessToken = ''
  readonly #environment: Environment

  constructor(name: string, environment: Environment) {
    this.email = `${name}@uni.example`
    this.#environment = environment
  }

  /**
   * Sends one request.
   * @returns null without a response of Lectern.
   */
  async send(method: string, path: string, payload?: object, expected = [200, 201, 204]): Promise<Answer | null> {
    const origin = await this.#environment.getOrigin()
    const isForm = payload instanceof FormData
    const headers = {
      ...(this.#accessToken && { authorization: `Bearer ${this.#accessToken}` }),
      ...(this.refreshCookie && { cookie: this.refreshCookie }),
      ...(payload && !isForm && { 'content-type': 'application/json' }),
    }
    const body = isForm ? payload : payload && JSON.stringify(payload)
    const what = `${method} ${path.replaceAll(/[0-9a-f-]{36}/g, ':id').replace(/\?.*/, '')}`
    const begunMs = performance.now()
    const record = (isAnswered: boolean, status = 0) =>
      this.#environment.requests.push({ what, begunMs, endedMs: performance.now(), isAnswered, status })
    try {
      const signal = AbortSignal.timeout(answerMs)
      const response = await fetch(`${origin}${path}`, { method, headers, signal, ...(body && { body }) })
      const bytes = Buffer.from(await response.arrayBuffer())
      const { status } = response
      const isJson = response.headers.get('content-type')?.includes('json') ?? false
      if (!isJson && unavailable.includes(status)) throw new Error('An answer of HAProxy')
      record(!unavailable.includes(status), status)
      if (![...expected, ...unavailable].includes(status))
        this.#environment.problems.add(`${what} was answered ${status}`)
      return { status, bytes, headers: response.headers, body: isJson ? JSON.parse(bytes.toString()) : null }
    } catch {
      record(false)
      return null
    }
  }

  /** Works like `send`, and repeats after a refresh if the session has expired, as the pages do. */
  async request(method: string, path: string, payload?: object, expected = [200, 201, 204, 404]) {
    const first = await this.send(method, path, payload, [...expected, 401])
    if (first?.status !== 401) return first
    await this.refresh()
    return this.send(method, path, payload, expected)
  }

  /**
   * Registers, verifies and logs in.
   * @returns whether all of it was acknowledged.
   */
  async register(): Promise<boolean> {
    const { ledger, problems, mails } = this.#environment
    const password = this.#password
    const account = { name: 'Ada Okafor', email: this.email, password, confirmPassword: password }
    const registering = ledger.change(`account ${this.email}`, 'waiting')
    if (!settleAll([registering], await this.send('POST', '/api/users/', account))) return false
    const token = await waitUntil(`A mail to ${this.email}`, async () => findToken(mails, this.email), 15 * 60_000)
    // A used link returns success again, so a lost response does not matter.
    for (;;) {
      const verifying = ledger.change(`account ${this.email}`, 'verified')
      const answer = await this.send('POST', '/api/users/verify', { token })
      if (settleAll([verifying], answer)) break
      if (answer && answer.status < 500) {
        problems.add(`The link that was mailed to ${this.email} was answered ${answer.status}`)
        return false
      }
      await setTimeout(500)
    }
    await this.logIn()
    return true
  }

  async logIn(): Promise<void> {
    const credentials = { email: this.email, password: this.#password }
    for (;;) {
      const answer = await this.send('POST', '/api/users/login', credentials)
      if (answer?.status === 200) return this.keepTokens(answer)
      if (answer?.status === 401) return void this.#environment.problems.add(`${this.email} cannot log in`)
      await setTimeout(500)
    }
  }

  keepTokens(answer: Answer): void {
    this.#accessToken = (answer.body as { accessToken: string }).accessToken
    const cookie = answer.headers.getSetCookie().find((one) => one.includes('refresh'))
    if (cookie) this.refreshCookie = cookie.split(';')[0] ?? ''
  }

  /** Repeats the request until it is answered, because a lost response never ends a session. */
  async refresh(): Promise<void> {
    for (;;) {
      const answer = await this.send('POST', '/api/users/auth/refresh', undefined, [200, 401])
      if (answer?.status === 200) return this.keepTokens(answer)
      if (answer?.status === 401) {
        this.#environment.problems.add(`${this.email} was logged out`)
        return this.logIn()
      }
      await setTimeout(250)
    }
  }

  /**
   * @param count the number of files in one request.
   * @returns the titles of the notes that exist now.
   */
  async upload({ isAnonymous = Math.random() < 0.4, count = Math.random() < 0.2 ? 2 : 1 } = {}): Promise<string[]> {
    const { ledger, noteIds, problems } = this.#environment
    const form = new FormData()
    const details = { courseCode: pick(courses), academicYear, isAnonymous: String(isAnonymous) }
    for (const [name, value] of Object.entries(details)) form.set(name, value)
    const titles: string[] = []
    const changes: Settle[] = []
    for (let n = 0; n < count; n++) {
      const title = randomBytes(8).toString('hex')
      titles.push(title)
      // Readers ignore bytes after the end of a PDF, so every file can be different.
      const bytes = Buffer.concat([createPdfWithText(`Lemma ${title}`), randomBytes(20_000)])
      form.append('note', new Blob([bytes], { type: 'application/pdf' }), `${title}.pdf`)
      changes.push(ledger.change(fileKey(title), isAnonymous ? rewritten : hashOf(bytes)))
      changes.push(ledger.change(noteKey(title), describe(details.courseCode, '-', isAnonymous)))
    }
    if (count > 1) ledger.uploads.push(titles)
    const answer = await this.request('POST', '/api/notes', form, [201])
    if (!settleAll(changes, answer) || !answer) return []
    const { notes } = answer.body as { notes: { _id: string; title: string }[] }
    for (const { _id, title } of notes) noteIds.set(title, _id)
    // The author finds the notes immediately, with any server and database replica.
    const listed = await this.request('GET', '/api/users/me/notes')
    if (listed?.status === 200 && !notes.every(({ _id }) => JSON.stringify(listed.body).includes(_id))) {
      problems.add(`An uploaded note is not listed: ${titles.join(' or ')}`)
    }
    return titles
  }

  async edit(title: string): Promise<void> {
    const { ledger, noteIds } = this.#environment
    const before = ledger.getCertain(noteKey(title))
    if (before === null) return
    const [courseCode, isAnonymous] = [pick(courses), Math.random() < 0.3]
    const instructor = `Dr ${randomBytes(3).toString('hex')}`
    const changes = [ledger.change(noteKey(title), describe(courseCode, instructor, isAnonymous))]
    // A note that becomes anonymous gets another file.
    if (isAnonymous && before.endsWith('by name')) changes.push(ledger.change(fileKey(title), rewritten))
    const path = `/api/users/me/notes/${noteIds.get(title)}`
    settleAll(changes, await this.request('PATCH', path, { courseCode, academicYear, instructor, isAnonymous }, [200]))
  }

  async remove(title: string): Promise<void> {
    const { ledger, noteIds } = this.#environment
    const removing = ledger.change(noteKey(title), none)
    settleAll([removing], await this.request('DELETE', `/api/users/me/notes/${noteIds.get(title)}`, undefined, [204]))
  }

  async rate(title: string): Promise<void> {
    const { ledger, noteIds } = this.#environment
    const key = ratingKey(title, this.email)
    const before = ledger.getCertain(key)
    if (before === null && ledger.getVersion(key) > 0) return
    const after = pick(['like', 'dislike', none] as const)
    const rating = ledger.change(key, after)
    const field = (after === none ? before : after) === 'dislike' ? 'dislikes' : 'likes'
    const path = `/api/notes/${noteIds.get(title)}/rating`
    const payload = { [field]: after === none ? '-' : '+' }
    // A user's own note is refused: its upload may have had no response.
    settleAll([rating], await this.request('PATCH', path, payload, [200, 403, 404]))
  }

  /** Reads a file and compares its content. */
  async view(title: string): Promise<void> {
    const { ledger, noteIds, problems } = this.#environment
    const getVersions = () => [noteKey(title), fileKey(title)].map((key) => ledger.getVersion(key)).join()
    const [before, note, hash] = [getVersions(), ledger.getCertain(noteKey(title)), ledger.getCertain(fileKey(title))]
    const answer = await this.request('GET', `/api/notes/${noteIds.get(title)}/view`)
    if (!answer || ![200, 404].includes(answer.status) || before !== getVersions() || note === null) return
    const isFound = answer.status === 200
    if (isFound !== (note !== none)) problems.add(`${title} was answered ${answer.status} although it is ${note}`)
    if (isFound && hash !== null && hash !== rewritten && hashOf(answer.bytes) !== hash) {
      problems.add(`The file of ${title} is not what was acknowledged`)
    }
  }

  /** An acknowledged logout takes effect immediately on every server. */
  async logOutAndIn(): Promise<void> {
    const answer = await this.request('POST', '/api/users/logout', undefined, [204])
    if (answer?.status === 204) {
      const after = await this.send('GET', '/api/users/me', undefined, [401])
      if (after?.status === 200) this.#environment.problems.add(`${this.email} was accepted after a logout`)
    }
    await this.logIn()
  }
}

/** Returns the details of a note in the format of the `values` query in compare.ts. */
const describe = (courseCode: string, instructor: string, isAnonymous: boolean) =>
  [courseCode, academicYear, instructor, isAnonymous ? 'anonymous' : 'by name'].join('|')

/** Returns the token of the verification link that was mailed to an address. */
function findToken(mails: Environment['mails'], email: string): string | undefined {
  const mail = mails.findLast(({ recipients }) => recipients[0] === email)
  // Quoted-printable text breaks lines and encodes equals signs.
  const text = mail?.content.replaceAll('=\r\n', '').replaceAll('=3D', '=') ?? ''
  return /\/verify\?token=([\w-]{43})/.exec(text)?.[1]
}

export type Users = Awaited<ReturnType<typeof startUsers>>

/**
 * Starts users who perform all actions of students one after another, while new ones register.
 * @param pauseMs the average pause between two requests of a user.
 */
export async function startUsers(environment: Environment, pauseMs: number) {
  const { ledger, noteIds, problems } = environment
  const users = Array.from({ length: userCount }, (_, n) => new User(`student${n}`, environment))
  if ((await Promise.all(users.map((user) => user.register()))).includes(false)) {
    throw new Error('Not all users could register before anything was killed')
  }
  let isStopped = false

  async function act(user: User): Promise<void> {
    const own: string[] = []
    const pickOther = () => pick(ledger.listTitles().filter((title) => !own.includes(title))) ?? ''
    const lists = ['/api/notes?sortBy=likes', '/api/notes?sortBy=createdAt', '/api/users/me/notes', '/api/users/me']
    const onNote = (title: string, act: (title: string) => Promise<void>) =>
      noteIds.has(title) && ledger.listTitles().includes(title) && act(title)
    const actions: [weight: number, action: () => unknown][] = [
      [20, async () => own.push(...(await user.upload()))],
      [16, () => onNote(pick(ledger.listTitles()) ?? '', (title) => user.view(title))],
      [24, () => onNote(pickOther(), (title) => user.rate(title))],
      [12, () => onNote(pick(own) ?? '', (title) => user.edit(title))],
      [18, () => onNote(own.shift() ?? '', (title) => user.remove(title))],
      [14, () => user.request('GET', pick(lists))],
      [4, () => user.refresh()],
      [2, () => user.logOutAndIn()],
    ]
    const weighted = actions.flatMap(([weight, action]) => Array.from({ length: weight }, () => action))
    while (!isStopped) {
      await pick(weighted)()
      await setTimeout(pauseMs * 2 * Math.random())
    }
  }

  /** A registration without a response is not repeated. */
  async function registerOthers(): Promise<void> {
    const registering: Promise<unknown>[] = []
    for (let n = 0; !isStopped; n++) {
      registering.push(new User(`newcomer${n}`, environment).register())
      await setTimeout(registerEveryMs * 2 * Math.random())
    }
    await Promise.all(registering)
  }

  const running = [...users.map(act), registerOthers()].map((task) =>
    task.catch((error: Error) => problems.add(`The simulated users failed: ${error.stack}`)),
  )
  return {
    users,
    /** Resolves when no request is in progress. */
    async stop() {
      isStopped = true
      await Promise.all(running)
    },
  }
}
