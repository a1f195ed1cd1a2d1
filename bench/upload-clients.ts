import { request } from 'node:http'
import { constants, setPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { goodFields, makeForm } from '../server/test/form.ts'
import { pdfOfBytes } from '../server/test/pdf-kinds.ts'

/**
 * Uploads one large file for each access token at once. A process of its own that gives way to every other: clients
 * have computers of their own, and must neither hold up the reader's clock nor take what the server needs.
 */

export type Traffic = { origin: string; accessTokens: string[]; fileBytes: number; bytesPerSecondEach: number }
export type TrafficResult = { outcomes: Record<string, number>; seconds: number }

const chunkBytes = 64 * 2 ** 10

setPriority(constants.priority.PRIORITY_LOW)
process.on('message', async (traffic: Traffic) => process.send?.(await send(traffic)))
process.on('disconnect', () => process.exit())

/** Half of the clients leave, each at another point of the file. */
async function send(traffic: Traffic): Promise<TrafficResult> {
  const { accessTokens, fileBytes } = traffic
  const { payload, headers } = makeForm([...goodFields, { content: pdfOfBytes(fileBytes) }])
  const startedAt = performance.now()
  const all = accessTokens.map((token, index) => {
    const leaveAfter = index % 2 === 0 ? Number.POSITIVE_INFINITY : (payload.length * index) / (accessTokens.length + 1)
    return upload(traffic, payload, { ...headers, authorization: `Bearer ${token}` }, leaveAfter)
  })
  const outcomes: Record<string, number> = {}
  for (const outcome of await Promise.all(all)) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  return { outcomes, seconds: (performance.now() - startedAt) / 1000 }
}

/** @param leaveAfter bytes sent after which the client goes away. @returns the status, or what became of it. */
async function upload(
  { origin, bytesPerSecondEach }: Traffic,
  payload: Buffer,
  headers: Record<string, string>,
  leaveAfter: number,
): Promise<string> {
  const startedAt = performance.now()
  const sent = request(`${origin}/api/notes`, {
    method: 'POST',
    headers: { ...headers, 'content-length': payload.length },
  })
  const answered = new Promise<string>((resolve) => {
    sent.once('error', () => resolve('left'))
    sent.once('response', (response) => response.resume().once('end', () => resolve(String(response.statusCode))))
  })
  for (let at = 0; at < Math.min(leaveAfter, payload.length); at += chunkBytes) {
    const earlyMs = startedAt + (at / bytesPerSecondEach) * 1000 - performance.now()
    if (earlyMs > 1) await delay(earlyMs)
    if (sent.destroyed) break
    const hasRoom = sent.write(payload.subarray(at, at + chunkBytes))
    if (!hasRoom) await Promise.race([new Promise((resolve) => sent.once('drain', resolve)), answered, delay(60_000)])
  }
  if (leaveAfter < payload.length) sent.destroy()
  else sent.end()
  return answered
}
