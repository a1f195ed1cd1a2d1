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
import { queryString } from '../paths.ts'
import { type ApiResponse, type ByteRange, sendByFetch, sendByXhr } from './send.ts'

/** The endpoint's inputs and the request options. */
export type CallOptions<E extends Endpoint> = Inputs<E> & {
  signal?: AbortSignal
  /** A failed refresh stays this request's 401 and does not end the session (SPEC.md section 7, GET me). */
  skipSessionExpiry?: boolean
  /** The page may be left before the response arrives. */
  keepalive?: boolean
}

type Inputs<E extends Endpoint> = (ParamsInput<E> extends undefined ? unknown : { params: ParamsInput<E> }) &
  (BodyInput<E> extends undefined ? unknown : { body: BodyInput<E> }) &
  // Blank and missing entries are omitted from the address.
  (E extends { query: unknown } ? { query?: Record<string, string | undefined> } : unknown) &
  // The version that was read; the write must not replace another one.
  (E extends { ifMatch: true } ? { ifMatch?: string | undefined } : unknown) &
  (E extends { multipart: unknown } ? { form: FormData; onProgress?: OnProgress } : unknown)

/** Bytes sent and total bytes, including the multipart frame. Restarts when the request is repeated. */
type OnProgress = (loaded: number, total: number) => void

/** The inputs of an unspecified endpoint. */
type AnyInputs = {
  params?: Record<string, string>
  body?: unknown
  query?: Record<string, string | undefined>
  ifMatch?: string
  form?: FormData
  onProgress?: OnProgress
}

/** The Blob of a file has the content type that the server sent. */
type EndpointResult<E extends Endpoint> = ResponseBody<E> extends FileResponse ? Blob : ResponseBody<E>

/** A range of a file with `totalBytes` in total; the ETag identifies its version. */
export type FilePart = { bytes: Uint8Array<ArrayBuffer>; totalBytes: number; etag: string }

type WriteListener = (endpoint: Endpoint, answer: Promise<unknown>) => void

type Send = (bearer: string | null) => Promise<ApiResponse>

/** The server or the connection fails, which does not end the session. */
const transientStatuses = new Set([0, 429, 502, 503, 504])
const networkMessage = 'Can’t reach Lectern. Check your connection and try again.'

/** The error of every failed request. Without a response it has the status 0 and the code `network`. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  /** The error message of each input, by name. */
  readonly fields: Record<string, string>
  /** The wait that the server asks for. */
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

/** Replaces a wait of hours by a local time, which the server does not know. */
function sayTime(message: string, waitSeconds: number): string {
  if (waitSeconds < 3600) return message
  const time = new Date(Date.now() + waitSeconds * 1000 + 59_999)
  const day = time.getDate() === new Date().getDate() ? 'at' : 'tomorrow at'
  return message.replace(describeWait(waitSeconds), `${day} ${time.toTimeString().slice(0, 5)}`)
}

/** The server's message for the user, or `fallback` if it is generic (SPEC.md section 8). */
export function getErrorMessage(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError) || error.status === 0) return fallback
  return error.message === errors.unexpected.message ? fallback : error.message
}

/**
 * The only client of the API. It sends the access token, kept in memory only, with every request. On a 401 whose
 * message begins with "Unauthorized" it refreshes once for all requests that failed together and repeats each once
 * (SPEC.md section 4). Every failure is an `ApiError`, except the caller's own abort reason.
 */
export function createApi({ baseUrl = '' }: { baseUrl?: string } = {}) {
  let accessToken: string | null = null
  let refreshing: Promise<string> | null = null
  let onSessionLost = () => {}
  let onSuspended = () => {}
  let onWrite: WriteListener = () => {}

  /** Sends without a token. */
  const sendWithoutToken = ({ method, path }: Endpoint, query?: AnyInputs['query']) =>
    sendByFetch({
      method,
      url: baseUrl + path + queryString(query),
      bearer: null,
      as: 'json',
      isQuick: true,
    })

  /**
   * All callers share one refresh. Resolves to the new access token, throws `ApiError`.
   * @param ifAny avoids an error in the browser's console if no user is signed in.
   */
  function refresh({ ifAny = false } = {}): Promise<string> {
    const before = accessToken
    refreshing ??= sendWithoutToken(refreshSession, ifAny ? { ifAny: 'true' } : {})
      .then((answer) => unwrapResponse(refreshSession, answer))
      .then((answer) => {
        // A login or logout in the meantime takes precedence.
        if (accessToken === before) accessToken = answer?.accessToken ?? null
        if (accessToken === null) throw new ApiError({ status: 401, body: null })
        return accessToken
      })
      .finally(() => {
        refreshing = null
      })
    return refreshing
  }

  /** Ends the session here and on the server, once for all requests that failed together. */
  function expireSession(lostToken: string | null) {
    if (accessToken !== lostToken) return
    accessToken = null
    void sendWithoutToken(endSession)
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
    // The session ended during this request: there is nothing to refresh.
    if (used !== null && accessToken === null) return first
    let fresh: string
    try {
      // Uses a refresh that another request finished in the meantime.
      fresh = accessToken !== null && accessToken !== used ? accessToken : await refresh()
    } catch (failure) {
      if (failure instanceof ApiError && transientStatuses.has(failure.status)) throw failure
      if (!skipSessionExpiry) expireSession(used)
      return first
    }
    return sendAs(fresh, send)
  }

  /** Calls an endpoint and resolves to the success body, which is checked against the contract. */
  async function call<E extends Endpoint>(
    endpoint: E,
    ...[options]: object extends CallOptions<E> ? [options?: CallOptions<E>] : [options: CallOptions<E>]
  ): Promise<EndpointResult<E>> {
    const { signal, skipSessionExpiry, keepalive, params, query, body, ifMatch, form, onProgress } = (options ??
      {}) as CallOptions<E> & AnyInputs
    const { method } = endpoint
    const url = baseUrl + fillPath(endpoint.path, params) + queryString(query)
    const as = Object.values(endpoint.responses).some((answer) => 'file' in answer) ? 'blob' : 'json'
    const send: Send = (bearer) =>
      form
        ? sendByXhr({ url, bearer, form, onProgress, signal })
        : sendByFetch({ method, url, bearer, body, ifMatch, signal, as, keepalive })
    const answer = authorized(send, skipSessionExpiry).then((answer) => unwrapResponse(endpoint, answer))
    if (method !== 'GET') onWrite(endpoint, answer)
    return answer
  }

  /** Loads a range of a file. Null if the file no longer has the range's ETag. */
  async function callRange(
    { method, path }: Endpoint,
    { params, range, signal }: { params: Record<string, string>; range: ByteRange; signal?: AbortSignal },
  ): Promise<FilePart | null> {
    const url = baseUrl + fillPath(path, params)
    const answer = await authorized((bearer) => sendByFetch({ method, url, bearer, signal, as: 'bytes', range }))
    const { status, body, headers } = answer
    // 416: the file is now shorter than the version that had this range.
    if (range.etag !== undefined && (status === 200 || status === 416)) return null
    if (!(body instanceof Uint8Array)) throw new ApiError(answer)
    const bytes = body as Uint8Array<ArrayBuffer>
    // A proxy without range support sends the whole file.
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
    /** Calls `listener` when a refresh was refused and the session has ended. */
    onSessionLost(listener: () => void) {
      onSessionLost = listener
    },
    /** Calls `listener` for each request refused because the user is suspended. */
    onSuspended(listener: () => void) {
      onSuspended = listener
    },
    /** Calls `listener` for each write, before its caller gets the response. */
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

/** Returns the success body. Throws `ApiError` for all else, including a body that does not match the contract. */
async function unwrapResponse<E extends Endpoint>({ responses }: E, answer: ApiResponse): Promise<EndpointResult<E>> {
  const { status, body } = answer
  if (status < 200 || status > 299) throw new ApiError(answer)
  const expected = responses[status]
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
