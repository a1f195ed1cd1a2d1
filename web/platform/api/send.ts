/** The response: `body` is the parsed JSON, a Blob, bytes or null. Status 0 means no response. */
export type ApiResponse = {
  status: number
  body: unknown
  headers?: Headers
  retryAfterSeconds?: number
  cause?: unknown
}

/** The bytes from `start` to `end` (exclusive), of the version with `etag` if given. */
export type ByteRange = { start: number; end: number; etag?: string }

type FetchRequest = {
  method: string
  url: string
  bearer: string | null
  body?: unknown
  ifMatch?: string | undefined
  signal?: AbortSignal | undefined
  as: 'json' | 'blob' | 'bytes'
  range?: ByteRange | undefined
  /** The request continues after the page is left. */
  keepalive?: boolean | undefined
  /** A write that the server answers as soon as a read. */
  isQuick?: boolean
}

const headersFor = (bearer: string | null, accept = 'application/json'): Record<string, string> => ({
  accept,
  ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
})

/** Throws only the abort reason of `signal`. */
export async function sendByFetch(request: FetchRequest): Promise<ApiResponse> {
  const { method, url, bearer, body, ifMatch, signal, as, range, keepalive = false } = request
  const silence = watchSilence(method === 'GET' || request.isQuick === true)
  const headers = headersFor(bearer, as === 'json' ? undefined : 'application/pdf, application/json')
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (ifMatch !== undefined) headers['if-match'] = `"${ifMatch}"`
  if (range) headers.range = `bytes=${range.start}-${range.end - 1}`
  if (range?.etag) headers['if-range'] = range.etag
  try {
    const response = await fetch(url, {
      method,
      headers,
      // A file may come from an object storage, which must not get cookies.
      credentials: as === 'json' ? 'include' : 'same-origin',
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
      keepalive,
    })
    return {
      status: response.status,
      body: await readBody(response, silence, as, range),
      headers: response.headers,
      ...parseRetryAfter(response.headers.get('retry-after')),
    }
  } catch (cause) {
    signal?.throwIfAborted()
    return { status: 0, body: null, cause }
  } finally {
    silence.end()
  }
}

const silenceMs = 20_000
/** The server may work on a write before it answers: an edit can anonymise a file. */
const silenceOfWriteMs = 60_000

/** Aborts a request without traffic for some time; the total time is not limited. */
function watchSilence(isQuick: boolean) {
  const aborter = new AbortController()
  const giveUp = () => aborter.abort(new DOMException('No byte came for too long', 'TimeoutError'))
  let timer = setTimeout(giveUp, isQuick ? silenceMs : silenceOfWriteMs)
  const restart = () => {
    clearTimeout(timer)
    timer = setTimeout(giveUp, silenceMs)
  }
  return {
    signal: aborter.signal,
    restart,
    /** Restarts the timer at every chunk. */
    watch({ body, headers }: Response): Response {
      const transform = (chunk: Uint8Array, controller: TransformStreamDefaultController) => {
        restart()
        controller.enqueue(chunk)
      }
      return new Response(body?.pipeThrough(new TransformStream({ transform })) ?? null, { headers })
    },
    end: () => clearTimeout(timer),
  }
}

async function readBody(
  response: Response,
  silence: ReturnType<typeof watchSilence>,
  as: FetchRequest['as'],
  range?: ByteRange,
): Promise<unknown> {
  silence.restart()
  // JSON is short, so only files are watched chunk by chunk.
  if (!response.ok || as === 'json') return parseJson(await response.text())
  const watched = silence.watch(response)
  if (as === 'blob') return watched.blob()
  if (response.status === 200 && range?.etag) {
    // The whole file of another version, which was not requested and may be large.
    await watched.body?.cancel()
    return null
  }
  return new Uint8Array(await watched.arrayBuffer())
}

type XhrRequest = {
  url: string
  bearer: string | null
  form: FormData
  onProgress?: ((loaded: number, total: number) => void) | undefined
  signal?: AbortSignal | undefined
}

/**
 * Like `sendByFetch`, for a POST with upload progress, which `fetch` does not report. Silence has no limit: on a slow
 * line, the last chunk that the browser handed to the system is on its way for a minute, without an event.
 */
export function sendByXhr({ url, bearer, form, onProgress, signal }: XhrRequest): Promise<ApiResponse> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const xhr = new XMLHttpRequest()
    const abort = () => xhr.abort()
    xhr.open('POST', url)
    xhr.withCredentials = true
    for (const [name, value] of Object.entries(headersFor(bearer))) xhr.setRequestHeader(name, value)
    if (onProgress) {
      xhr.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total)
      // The last progress event may be missing.
      xhr.upload.onload = ({ total }) => onProgress(total, total)
    }
    xhr.onload = () =>
      resolve({
        status: xhr.status,
        body: parseJson(xhr.responseText),
        ...parseRetryAfter(xhr.getResponseHeader('retry-after')),
      })
    xhr.onerror = () => resolve({ status: 0, body: null })
    xhr.onabort = () => reject(signal?.reason)
    xhr.onloadend = () => signal?.removeEventListener('abort', abort)
    signal?.addEventListener('abort', abort)
    xhr.send(form)
  })
}

/** The server sends seconds, never a date. */
const parseRetryAfter = (header: string | null) => (header === null ? {} : { retryAfterSeconds: Number(header) })

/** Null for an empty body and for anything but JSON, such as a proxy's error page. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
