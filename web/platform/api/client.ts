import {
  type BodyInput,
  type Endpoint,
  type FileResponse,
  loadSchema,
  type ParamsInput,
  type ResponseBody,
} from '../../../packages/contract/endpoint.ts'
import { describeWait, type ErrorBody, errors } from '../../../packages/contract/errors.ts'
import { endSession, refreshSession } from '../../../packages/contract/sessions.endpoints.ts'
import { type ApiResponse, type ByteRange, sendByFetch, sendByXhr } from './send.ts'

/** What an endpoint takes, and how the page asks for it. */
export type CallOptions<E extends Endpoint> = Inputs<E> & {
  signal?: AbortSignal
  /** A refresh that fails is then simply this request's 401: nobody is logged out (SPEC.md section 7, GET me). */
  skipSessionExpiry?: boolean
  /** The answer does not matter to the page, which may be left meanwhile. */
  keepalive?: boolean
}

type Inputs<E extends Endpoint> = (ParamsInput<E> extends undefined ? unknown : { params: ParamsInput<E> }) &
  (BodyInput<E> extends undefined ? unknown : { body: BodyInput<E> }) &
  // Blank and missing entries are left out of the address.
  (E extends { query: unknown } ? { query?: Record<string, string | undefined> } : unknown) &
  // The version that was read, where the write is to go over no other.
  (E extends { ifMatch: true } ? { ifMatch?: string | undefined } : unknown) &
  (E extends { form: unknown } ? { form: FormData; onProgress?: OnProgress } : unknown)

/** Bytes sent so far and bytes in all, the multipart frame included. Starts over where the request is repeated. */
type OnProgress = (loaded: number, total: number) => void

/** The same of any endpoint, where it is no longer known of which. */
type AnyInputs = {
  params?: Record<string, string>
  body?: unknown
  query?: Record<string, string | undefined>
  ifMatch?: string
  form?: FormData
  onProgress?: OnProgress
}

/** The bytes of a file have the content type the server gave them. */
type EndpointResult<E extends Endpoint> = ResponseBody<E> extends FileResponse ? Blob : ResponseBody<E>

/** A part of a file, which has `totalBytes` in all; the ETag names this version of it. */
export type FilePart = { bytes: Uint8Array<ArrayBuffer>; totalBytes: number; etag: string }

type WriteListener = (endpoint: Endpoint, answer: Promise<unknown>) => void

type Send = (bearer: string | null) => Promise<ApiResponse>

/** The server or the way to it is in trouble: that says nothing about the session, so nobody is logged out for it. */
const transientStatuses = new Set([0, 429, 502, 503, 504])
const networkMessage = 'Lectern cannot be reached. Check your connection and try again.'

/** What every failed request throws. A request that got no answer has the status 0 and the code `network`. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  /** What is wrong with each input, by its name. */
  readonly fields: Record<string, string>
  /** How long to wait before asking again, where the server said so. */
  readonly retryAfterSeconds: number | undefined

  constructor({ status, body, retryAfterSeconds, cause }: ApiResponse) {
    const { message, code, fields } = (typeof body === 'object' && body !== null ? body : {}) as Partial<ErrorBody>
    const text = message || (status === 0 ? networkMessage : errors.unexpected.message)
    super(retryAfterSeconds === undefined ? text : sayTime(text, retryAfterSeconds), { cause })
    this.name = 'ApiError'
    this.status = status
    this.code = code ?? (status === 0 ? 'network' : 'unexpected')
    this.fields = fields ?? {}
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** A wait of hours ends at a time of the student's own clock, which the server does not know. */
function sayTime(message: string, waitSeconds: number): string {
  if (waitSeconds < 3600) return message
  const time = new Date(Date.now() + waitSeconds * 1000 + 59_999)
  const day = time.getDate() === new Date().getDate() ? 'at' : 'tomorrow at'
  return message.replace(describeWait(waitSeconds), `${day} ${time.toTimeString().slice(0, 5)}`)
}

/** What a person reads of a failure: the server's message, unless it says nothing (SPEC.md section 8). */
export function getErrorMessage(error: unknown, fallback: string): string {
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
  let onSuspended = () => {}
  let onWrite: WriteListener = () => {}

  /** Sends without a token. */
  const sendBare = ({ method, path }: Endpoint, query?: AnyInputs['query']) =>
    sendByFetch({
      method,
      url: baseUrl + path + queryString(query),
      bearer: null,
      as: 'json',
    })

  /**
   * One refresh at a time, whoever asks. Resolves to the fresh access token, throws `ApiError`.
   * @param ifAny asks where nobody may be signed in, which is no error then for the browser's console.
   */
  function refresh({ ifAny = false } = {}): Promise<string> {
    const before = accessToken
    refreshing ??= sendBare(refreshSession, ifAny ? { ifAny: 'true' } : {})
      .then((answer) => unwrapResponse(refreshSession, answer))
      .then((answer) => {
        // Whoever logged in or out meanwhile has the last word.
        if (accessToken === before) accessToken = answer?.accessToken ?? null
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
    void sendBare(endSession)
    onSessionLost()
  }

  async function sendAs(bearer: string | null, send: Send): Promise<ApiResponse> {
    const answer = await send(bearer)
    if (isOfSuspended(answer)) onSuspended()
    return answer
  }

  async function authorized(send: Send, skipSessionExpiry = false): Promise<ApiResponse> {
    const used = accessToken
    const first = await sendAs(used, send)
    if (!isUnauthorized(first)) return first
    // The session ended while this request was under way: there is nothing left to refresh.
    if (used !== null && accessToken === null) return first
    let fresh: string
    try {
      // A refresh that another request finished in the meantime serves this one as well.
      fresh = accessToken !== null && accessToken !== used ? accessToken : await refresh()
    } catch (failure) {
      if (failure instanceof ApiError && transientStatuses.has(failure.status)) throw failure
      if (!skipSessionExpiry) loseSession(used)
      return first
    }
    return sendAs(fresh, send)
  }

  /** Calls an endpoint and resolves to what its success says, which fits the contract. */
  async function call<E extends Endpoint>(
    endpoint: E,
    ...[options]: object extends CallOptions<E> ? [options?: CallOptions<E>] : [options: CallOptions<E>]
  ): Promise<EndpointResult<E>> {
    const { signal, skipSessionExpiry, keepalive, params, query, body, ifMatch, form, onProgress } = (options ??
      {}) as CallOptions<E> & AnyInputs
    const { method } = endpoint
    const url = baseUrl + fillPath(endpoint.path, params) + queryString(query)
    const as = Object.values(endpoint.answers).some((answer) => 'file' in answer) ? 'blob' : 'json'
    const send: Send = (bearer) =>
      form
        ? sendByXhr({ url, bearer, form, onProgress, signal })
        : sendByFetch({ method, url, bearer, body, ifMatch, signal, as, keepalive })
    const answer = authorized(send, skipSessionExpiry).then((answer) => unwrapResponse(endpoint, answer))
    if (method !== 'GET') onWrite(endpoint, answer)
    return answer
  }

  /** Some bytes of a file. Null where the file is no longer the one that the range's ETag names. */
  async function callRange(
    { method, path }: Endpoint,
    { params, range, signal }: { params: Record<string, string>; range: ByteRange; signal?: AbortSignal },
  ): Promise<FilePart | null> {
    const url = baseUrl + fillPath(path, params)
    const answer = await authorized((bearer) => sendByFetch({ method, url, bearer, signal, as: 'bytes', range }))
    const { status, body, headers } = answer
    // Nothing of the file is there where it ends, where it had more before.
    if (range.etag !== undefined && (status === 200 || status === 416)) return null
    if (!(body instanceof Uint8Array)) throw new ApiError(answer)
    const bytes = body as Uint8Array<ArrayBuffer>
    // A proxy that knows no ranges sends it whole.
    const total = status === 206 ? headers?.get('content-range')?.split('/')[1] : bytes.length
    return { bytes, totalBytes: Number(total), etag: headers?.get('etag') ?? '' }
  }

  return {
    call,
    callRange,
    refresh,
    setAccessToken(token: string | null) {
      accessToken = token
    },
    hasAccessToken: () => accessToken !== null,
    /** Calls `listener` when a refresh was refused and the session is over. */
    onSessionLost(listener: () => void) {
      onSessionLost = listener
    },
    /** Calls `listener` for each request that is refused because its session is one of somebody suspended. */
    onSuspended(listener: () => void) {
      onSuspended = listener
    },
    /** Calls `listener` for each request that writes, before its caller learns of the answer. */
    onWrite(listener: WriteListener) {
      onWrite = listener
    },
  }
}

export type Api = ReturnType<typeof createApi>
export const api = createApi()

const isUnauthorized = ({ status, body }: ApiResponse) =>
  status === 401 && new ApiError({ status, body }).message.startsWith('Unauthorized')

const isOfSuspended = ({ status, body }: ApiResponse) =>
  status === 403 && new ApiError({ status, body }).code === 'account_suspended'

/** What a success says. Whatever does not fit the contract is a failure nobody foresaw. */
async function unwrapResponse<E extends Endpoint>({ answers }: E, answer: ApiResponse): Promise<EndpointResult<E>> {
  const { status, body } = answer
  if (status < 200 || status > 299) throw new ApiError(answer)
  const expected = answers[status]
  if (expected === undefined) throw new ApiError({ status, body: null })
  if ('empty' in expected) return null as EndpointResult<E>
  if ('file' in expected) return body as EndpointResult<E>
  const schema = await loadSchema(expected).catch((cause: unknown) => {
    throw new ApiError({ status: 0, body: null, cause })
  })
  const result = schema.safeParse(body)
  if (!result.success) throw new ApiError({ status, body: null, cause: result.error })
  return result.data as EndpointResult<E>
}

const fillPath = (path: string, params: AnyInputs['params'] = {}) =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))

function queryString(query: AnyInputs['query'] = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}
