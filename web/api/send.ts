/** What came back: `body` is the parsed JSON, a Blob, or null. Status 0 where nothing came back at all. */
export type Answer = { status: number; body: unknown; cause?: unknown }

type FetchRequest = {
  method: string
  url: string
  bearer: string | null
  body?: unknown
  signal?: AbortSignal | undefined
  timeoutMs: number
  as: 'json' | 'blob'
}

const headersFor = (bearer: string | null, accept = 'application/json'): Record<string, string> => ({
  accept,
  ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
})

/** Throws only what `signal` was aborted with. */
export async function sendByFetch({ method, url, bearer, body, signal, timeoutMs, as }: FetchRequest): Promise<Answer> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const headers = headersFor(bearer, as === 'blob' ? 'application/pdf, application/json' : undefined)
  if (body !== undefined) headers['content-type'] = 'application/json'
  try {
    const response = await fetch(url, {
      method,
      headers,
      credentials: 'include',
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    const received = response.ok && as === 'blob' ? await response.blob() : parseJson(await response.text())
    return { status: response.status, body: received }
  } catch (cause) {
    signal?.throwIfAborted()
    return { status: 0, body: null, cause }
  }
}

type XhrRequest = {
  url: string
  bearer: string | null
  form: FormData
  onProgress?: ((loaded: number, total: number) => void) | undefined
  signal?: AbortSignal | undefined
}

/** As `sendByFetch`, for a POST whose sending can be watched: `fetch` tells nothing about that. */
export function sendByXhr({ url, bearer, form, onProgress, signal }: XhrRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const xhr = new XMLHttpRequest()
    const abort = () => xhr.abort()
    xhr.open('POST', url)
    xhr.withCredentials = true
    for (const [name, value] of Object.entries(headersFor(bearer))) xhr.setRequestHeader(name, value)
    if (onProgress) xhr.upload.onprogress = (event) => onProgress(event.loaded, event.total)
    xhr.onload = () => resolve({ status: xhr.status, body: parseJson(xhr.responseText) })
    xhr.onerror = () => resolve({ status: 0, body: null })
    xhr.onabort = () => reject(signal?.reason)
    xhr.onloadend = () => signal?.removeEventListener('abort', abort)
    signal?.addEventListener('abort', abort)
    xhr.send(form)
  })
}

/** Null for an empty body, and for what is not JSON (a proxy's error page): nobody could read it anyway. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
