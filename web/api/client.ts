import type { ZodMiniType } from 'zod/mini'
import { type ErrorBody, errors } from '../../contract/errors.ts'
import { type Answer, sendByFetch, sendByXhr } from './send.ts'

export type RequestOptions<T = unknown> = {
  /** Blank and missing entries are left out of the address. */
  query?: Record<string, string | undefined>
  /** Where given, the answer must fit this schema of the contract. */
  answer?: ZodMiniType<T>
  signal?: AbortSignal
  /** A refresh that fails is then simply this request's 401: nobody is logged out (SPEC.md section 7, GET me). */
  skipSessionExpiry?: boolean
}

export type UploadOptions<T = unknown> = Omit<RequestOptions<T>, 'query'> & {
  /** Bytes sent so far and bytes in all, the multipart frame included. Starts over where the request is repeated. */
  onProgress?: (loaded: number, total: number) => void
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
type Send = (bearer: string | null) => Promise<Answer>

const requestTimeoutMs = 30_000
const fileTimeoutMs = 5 * 60_000
/** The server or the way to it is in trouble: that says nothing about the session, so nobody is logged out for it. */
const passingStatuses = new Set([0, 429, 502, 503, 504])
const networkMessage = 'Lectern cannot be reached. Check your connection and try again.'

/** What every failed request throws. A request that got no answer has the status 0 and the code `network`. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  /** What is wrong with each input, by its name. */
  readonly fields: Record<string, string>

  constructor({ status, body, cause }: Answer) {
    const { message, code, fields } = (typeof body === 'object' && body !== null ? body : {}) as Partial<ErrorBody>
    super(message || (status === 0 ? networkMessage : errors.unexpected.message), { cause })
    this.name = 'ApiError'
    this.status = status
    this.code = code ?? (status === 0 ? 'network' : 'unexpected')
    this.fields = fields ?? {}
  }
}

/** What a person reads of a failure: the server's message, unless it says nothing (SPEC.md section 8). */
export function messageOf(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError) || error.status === 0) return fallback
  return error.message === errors.unexpected.message ? fallback : error.message
}

/**
 * The one way to the API. Keeps the access token, in memory only, and sends it with every request; on a 401 whose
 * message begins with "Unauthorized" it refreshes once for all requests that failed together and repeats each of them
 * once (SPEC.md section 4). Every failure is an `ApiError`; only a caller's own abort stays what it was aborted with.
 */
export function createApi({ baseUrl = '' }: { baseUrl?: string } = {}) {
  let accessToken: string | null = null
  let refreshing: Promise<string> | null = null
  let onSessionLost = () => {}

  const post = (path: string) =>
    sendByFetch({ method: 'POST', url: baseUrl + path, bearer: null, timeoutMs: requestTimeoutMs, as: 'json' })

  /** One refresh at a time, whoever asks. Resolves to the fresh access token, throws `ApiError`. */
  function refresh(): Promise<string> {
    const before = accessToken
    refreshing ??= post('/api/users/auth/refresh')
      .then((answer) => {
        const { accessToken: fresh } = succeeded<{ accessToken?: unknown }>(answer) ?? {}
        if (typeof fresh !== 'string') throw new ApiError({ status: answer.status, body: null })
        // Whoever logged in or out meanwhile has the last word.
        if (accessToken === before) accessToken = fresh
        if (accessToken === null) throw new ApiError({ status: 401, body: null })
        return accessToken
      })
      .finally(() => {
        refreshing = null
      })
    return refreshing
  }

  /** Ends what is left of the session, here and on the server, once for all requests that failed together. */
  function loseSession(lostToken: string | null) {
    if (accessToken !== lostToken) return
    accessToken = null
    void post('/api/users/auth/logout')
    onSessionLost()
  }

  async function authorized(send: Send, skipSessionExpiry = false): Promise<Answer> {
    const used = accessToken
    const first = await send(used)
    if (!isUnauthorized(first)) return first
    // The session ended while this request was under way: there is nothing left to refresh.
    if (used !== null && accessToken === null) return first
    let fresh: string
    try {
      // A refresh that another request finished in the meantime serves this one as well.
      fresh = accessToken !== null && accessToken !== used ? accessToken : await refresh()
    } catch (failure) {
      if (failure instanceof ApiError && passingStatuses.has(failure.status)) throw failure
      if (!skipSessionExpiry) loseSession(used)
      return first
    }
    return send(fresh)
  }

  async function request<T>(method: Method, path: string, body: unknown, options: RequestOptions<T>): Promise<T> {
    const { query, answer, signal, skipSessionExpiry } = options
    const url = baseUrl + path + queryString(query)
    const send: Send = (bearer) =>
      sendByFetch({ method, url, bearer, body, signal, timeoutMs: requestTimeoutMs, as: 'json' })
    return succeeded(await authorized(send, skipSessionExpiry), answer)
  }

  return {
    get: <T = unknown>(path: string, options: RequestOptions<T> = {}) => request<T>('GET', path, undefined, options),
    post: <T = unknown>(path: string, body?: unknown, options: RequestOptions<T> = {}) =>
      request<T>('POST', path, body, options),
    patch: <T = unknown>(path: string, body?: unknown, options: RequestOptions<T> = {}) =>
      request<T>('PATCH', path, body, options),
    delete: <T = unknown>(path: string, options: RequestOptions<T> = {}) =>
      request<T>('DELETE', path, undefined, options),

    /** The bytes of a file, with the content type the server gave it. */
    async blob(path: string, options: Omit<RequestOptions, 'answer'> = {}): Promise<Blob> {
      const { query, signal, skipSessionExpiry } = options
      const url = baseUrl + path + queryString(query)
      const send: Send = (bearer) =>
        sendByFetch({ method: 'GET', url, bearer, signal, timeoutMs: fileTimeoutMs, as: 'blob' })
      return succeeded<Blob>(await authorized(send, skipSessionExpiry))
    },

    async upload<T = unknown>(path: string, form: FormData, options: UploadOptions<T> = {}): Promise<T> {
      const { onProgress, signal, answer, skipSessionExpiry } = options
      const send: Send = (bearer) => sendByXhr({ url: baseUrl + path, bearer, form, onProgress, signal })
      return succeeded(await authorized(send, skipSessionExpiry), answer)
    },

    refresh,
    setAccessToken(token: string | null) {
      accessToken = token
    },
    hasAccessToken: () => accessToken !== null,
    /** Calls `listener` when a refresh was refused and the session is over. */
    onSessionLost(listener: () => void) {
      onSessionLost = listener
    },
  }
}

export type Api = ReturnType<typeof createApi>
export const api = createApi()

const isUnauthorized = ({ status, body }: Answer) =>
  status === 401 && new ApiError({ status, body }).message.startsWith('Unauthorized')

function succeeded<T>(answer: Answer, schema?: ZodMiniType<T>): T {
  if (answer.status < 200 || answer.status > 299) throw new ApiError(answer)
  if (schema === undefined) return answer.body as T
  const result = schema.safeParse(answer.body)
  if (!result.success) throw new ApiError({ status: answer.status, body: null, cause: result.error })
  return result.data
}

function queryString(query: RequestOptions['query'] = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}
