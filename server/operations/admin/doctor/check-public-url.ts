import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { uploadNotes } from '../../../../packages/contract/notes.endpoints.ts'
import { getHealth } from '../../../../packages/contract/system.endpoints.ts'
import type { Config } from '../../../config.ts'
import { describeError } from '../../../platform/observability/log.ts'
import { asSentence, compareClocks, type Finding, failure, ok, warning } from './finding.ts'

const timeoutMs = 10_000
const dripMs = 100

/** Checks that requests to PUBLIC_URL reach Lectern, and uploads too. */
export async function checkPublicUrl({ publicUrl, maxFiles, maxFileMb }: Config): Promise<Finding[]> {
  if (!publicUrl) return []
  const askedAt = Date.now()
  let answer: Response
  try {
    answer = await fetch(`${publicUrl}${getHealth.path}`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
  } catch (error) {
    const cause = error instanceof Error && error.cause ? error.cause : error
    return [
      failure(
        `Can’t reach ${publicUrl}: ${asSentence(describeError(cause))} Check the server, DNS, firewall and certificate`,
      ),
    ]
  }
  const body = await answer.text()
  if (answer.status >= 300 && answer.status < 400) {
    return [failure(`${publicUrl} redirects to ${answer.headers.get('location')}. Set PUBLIC_URL to that address`)]
  }
  if (answer.status !== 200 || body !== '{"status":"ok"}') {
    return [
      failure(
        `${publicUrl}${getHealth.path} returned ${answer.status}, not from Lectern. Make the proxy forward all paths to PORT`,
      ),
    ]
  }
  const date = answer.headers.get('date')
  return [
    ok(`${publicUrl} reaches Lectern`),
    ...(date ? [compareClocks('the web server', new Date(date), askedAt, Date.now())] : []),
    await checkUploads(publicUrl, (maxFiles * maxFileMb + 1) * 2 ** 20),
  ]
}

/** Announces an upload without sending it: a proxy refuses its size immediately, and Lectern the missing login. */
async function checkUploads(publicUrl: string, bytes: number): Promise<Finding> {
  const megabytes = Math.ceil(bytes / 2 ** 20)
  try {
    const status = await announceUpload(`${publicUrl}${uploadNotes.path}`, bytes)
    if (status === 413) {
      return failure(
        `An upload of ${megabytes} MB is rejected before it reaches Lectern. Allow request bodies of MAX_FILES × MAX_FILE_MB + 1 MB (nginx: client_max_body_size ${megabytes}m)`,
      )
    }
    if (status === 401) return ok(`Uploads of ${megabytes} MB reach Lectern`)
    return warning(`An upload without a login returned ${status}, but Lectern returns 401. Check the proxy`)
  } catch (error) {
    return warning(`Couldn’t test uploads: ${describeError(error)}`)
  }
}

function announceUpload(url: string, bytes: number): Promise<number> {
  const send = url.startsWith('https:') ? requestHttps : requestHttp
  const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': bytes }
  return new Promise((resolve, reject) => {
    const request = send(url, { method: 'POST', headers }, ({ statusCode = 0 }) => {
      resolve(statusCode)
      request.destroy()
    })
    // Over HTTP/1, Caddy holds back a response while it waits for more of a request body.
    const drip = setInterval(() => request.write('x'), dripMs)
    const late = setTimeout(() => request.destroy(new Error('The request timed out')), timeoutMs)
    request.on('close', () => {
      clearInterval(drip)
      clearTimeout(late)
    })
    request.on('error', reject)
    request.flushHeaders()
  })
}
