import { request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { goodFields, makeForm } from '../server/test/form.ts'
import { pdfOfBytes } from '../server/test/pdf-kinds.ts'

/** Uploads one large file for each access token at once, in a thread of its own, so that the reader's clock is not held up. */

const { origin, accessTokens } = workerData as { origin: string; accessTokens: string[] }
const fileBytes = 25 * 2 ** 20
const chunkBytes = 256 * 2 ** 10
const { payload, headers } = makeForm([...goodFields, { content: pdfOfBytes(fileBytes) }])

/** @param leaveAfter bytes sent after which the client goes away. @returns the status, or what became of it. */
async function upload(accessToken: string, leaveAfter: number): Promise<string> {
  const sent = request(`${origin}/api/notes`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${accessToken}`, 'content-length': payload.length },
  })
  const answered = new Promise<string>((resolve) => {
    sent.once('error', () => resolve('left'))
    sent.once('response', (response) => response.resume().once('end', () => resolve(String(response.statusCode))))
  })
  for (let at = 0; at < Math.min(leaveAfter, payload.length); at += chunkBytes) {
    if (sent.destroyed) break
    const hasRoom = sent.write(payload.subarray(at, at + chunkBytes))
    if (!hasRoom) await Promise.race([new Promise((resolve) => sent.once('drain', resolve)), answered, delay(60_000)])
  }
  if (leaveAfter < payload.length) sent.destroy()
  else sent.end()
  return answered
}

// Half of the clients leave, each at another point of the file.
const outcomes = await Promise.all(
  accessTokens.map((token, index) =>
    upload(token, index % 2 === 0 ? Number.POSITIVE_INFINITY : (payload.length * index) / (accessTokens.length + 1)),
  ),
)
const counts: Record<string, number> = {}
for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1
parentPort?.postMessage(counts)
