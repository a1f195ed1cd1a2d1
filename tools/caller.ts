export type Answer = { status: number; body: unknown; bytes: Buffer; headers: Headers }

/** How a request ended. `broken`: there was no answer of Lectern. Moments are of `performance.now()`. */
export type Attempt = {
  what: string
  begunMs: number
  endedMs: number
  outcome: 'acknowledged' | 'refused' | 'broken' | 'wrong'
  status: number
}

const tryAgain = [502, 503, 504]
const waitMs = 60_000
export const studentPassword = 'Marigold desk 42!'

/** A program that is somebody's, and writes down how each of its requests ended. */
export class Caller {
  readonly email: string
  protected accessToken = ''
  protected refreshCookie = ''
  readonly #origin: () => string
  readonly #attempts: Attempt[]

  /** @param origin where the next request goes. */
  constructor(origin: () => string, email: string, attempts: Attempt[]) {
    this.#origin = origin
    this.email = email
    this.#attempts = attempts
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
      ...(this.accessToken && { authorization: `Bearer ${this.accessToken}` }),
      ...(this.refreshCookie && { cookie: this.refreshCookie }),
      ...(payload && !isForm && { 'content-type': 'application/json' }),
    }
    const body = payload === undefined || isForm ? payload : JSON.stringify(payload)
    try {
      const signal = AbortSignal.timeout(waitMs)
      const response = await fetch(`${this.#origin()}${path}`, { method, headers, signal, ...(body && { body }) })
      const bytes = Buffer.from(await response.arrayBuffer())
      const { status } = response
      const isJson = response.headers.get('content-type')?.includes('json') ?? false
      const isLecterns = isJson || !tryAgain.includes(status)
      const outcome = expected.includes(status) ? 'acknowledged' : tryAgain.includes(status) ? 'refused' : 'wrong'
      this.#attempts.push({
        ...attempt,
        endedMs: performance.now(),
        outcome: isLecterns ? outcome : 'broken',
        status,
      })
      return isLecterns
        ? { status, bytes, headers: response.headers, body: isJson ? JSON.parse(bytes.toString()) : null }
        : null
    } catch {
      this.#attempts.push({ ...attempt, endedMs: performance.now(), outcome: 'broken', status: 0 })
      return null
    }
  }

  /** @returns the answer; with it the session is this program's where it succeeded. */
  protected async enter(password: string, expected?: number[]): Promise<Answer | null> {
    const answer = await this.ask('POST', '/api/users/login', { email: this.email, password }, expected)
    if (answer?.status === 200) this.take(answer)
    return answer
  }

  /** Keeps the tokens that an answer brings. */
  protected take(answer: Answer): void {
    this.accessToken = (answer.body as { accessToken: string }).accessToken
    const cookie = answer.headers.getSetCookie().find((one) => one.includes('refresh'))
    if (cookie) this.refreshCookie = cookie.split(';')[0] ?? ''
  }
}
