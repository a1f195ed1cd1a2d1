import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { PDFDocument, PDFName } from '@cantoo/pdf-lib'
import autocannon, { type Request } from 'autocannon'
import type pg from 'pg'
import { createRandom } from '../scripts/demo/random.ts'
import { connect } from '../server/platform/db/client.ts'
import type { Statement } from '../server/testing/record-sql.ts'
import type { Load, Slice } from './figures.ts'
import { emailOf, password, studentCount } from './fill.ts'

export type Call = {
  path: string
  method?: Request['method']
  headers?: Record<string, string>
  body?: string | Buffer
}
/** The request headers of a student. */
export type Student = { authorization: string }

/** @throws when the server returns an error. */
export async function send<T>(origin: string, { path, body, ...options }: Call): Promise<T> {
  const sent = { ...options, ...(body && { body: Uint8Array.from(Buffer.from(body)) }) }
  const response = await fetch(origin + path, sent)
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${text}`)
  return text && JSON.parse(text)
}

export async function logIn(origin: string, student: number): Promise<Student> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ email: emailOf(student), password })
  const call: Call = { method: 'POST', path: '/api/users/login', headers, body }
  return { authorization: `Bearer ${(await send<{ accessToken: string }>(origin, call)).accessToken}` }
}

export const logInAll = (origin: string) =>
  Promise.all(Array.from({ length: studentCount }, (_, student) => logIn(origin, student)))

/** Rotates through requests and students, because the server queues the requests of each account separately. */
export function inTurn(calls: (Call | (() => Call))[], students: Student[]): () => Call {
  let turn = 0
  return () => {
    const next = calls[turn % calls.length] as Call | (() => Call)
    const call = typeof next === 'function' ? next() : next
    return { ...call, headers: { ...call.headers, ...students[turn++ % students.length] } }
  }
}

/** Sends requests over `connections` connections, each as soon as the previous one is answered. */
export function httpLoad(origin: string, connections: number, next: () => Call): Load {
  return async (durationMs) => {
    const slice: Slice = { latenciesMs: [], elapsedMs: 0, failures: 0 }
    const startedAt = performance.now()
    // Fields of the previous request must be reset.
    const setupRequest = (request: Request): Request => ({ ...request, method: 'GET', body: '', ...next() })
    const limits = { timeout: 30, duration: 120, sampleInt: 50 }
    const load = autocannon({ url: origin, connections, requests: [{ setupRequest }], ...limits }, () => {})
    load.on('response', (_client: unknown, status: number, _bytes: number, latencyMs: number) => {
      if (status < 300) slice.latenciesMs.push(latencyMs)
    })
    // Later responses do not count.
    setTimeout(() => load.stop(), durationMs)
    const [{ errors, non2xx }] = await once(load, 'done')
    return { ...slice, elapsedMs: performance.now() - startedAt, failures: errors + non2xx }
  }
}

/**
 * Like `httpLoad`, for uploads: waits for the last responses, because a server ends the work on an upload that is cut
 * off, and its next slice would begin without processes for PDFs.
 */
export function uploadLoad(origin: string, connections: number, next: () => Call): Load {
  return async (durationMs) => {
    const slice: Slice = { latenciesMs: [], elapsedMs: 0, failures: 0 }
    const startedAt = performance.now()
    const run = async () => {
      while (performance.now() - startedAt < durationMs) {
        const sentAt = performance.now()
        const isSent = await send(origin, next()).then(
          () => true,
          () => false,
        )
        if (isSent) slice.latenciesMs.push(performance.now() - sentAt)
        else slice.failures++
      }
    }
    await Promise.all(Array.from({ length: connections }, run))
    return { ...slice, elapsedMs: performance.now() - startedAt }
  }
}

/**
 * Runs the statements of one list after another on each connection.
 * @param isPrepared for statements with a suitable generic plan.
 */
export function postgresLoad(url: string, connections: number, lists: Statement[][], isPrepared: boolean): Load {
  return async (durationMs) => {
    const slice: Slice = { latenciesMs: [], elapsedMs: 0, failures: 0 }
    await using opened = new AsyncDisposableStack()
    const open = async () => opened.use(await connect({ connectionString: url }))
    const clients = await Promise.all(Array.from({ length: connections }, open))
    const startedAt = performance.now()
    let turn = 0
    const run = async (client: pg.Client) => {
      while (performance.now() - startedAt < durationMs) {
        const sentAt = performance.now()
        for (const [at, { text, values }] of (lists[turn++ % lists.length] ?? []).entries()) {
          await client.query({ text, values, ...(isPrepared && { name: `statement ${at}` }) })
        }
        slice.latenciesMs.push(performance.now() - sentAt)
      }
    }
    await Promise.all(clients.map(run))
    return { ...slice, elapsedMs: performance.now() - startedAt }
  }
}

/** The side in pixels of an image whose PDF has 1 MB. */
export const sideOf1MB = 591

/** Makes a page like a scanner's, with some lines of text: the image does not compress. */
export async function makeScan(text: string, side: number): Promise<Buffer> {
  const { next } = createRandom(5)
  const document = await PDFDocument.create({ updateMetadata: false })
  const page = document.addPage([595, 842])
  page.drawText(text, { x: 40, y: 810, size: 11, lineHeight: 14, maxWidth: 515 })
  const { context } = document
  const pixels = Buffer.from(Array.from({ length: side * side * 3 }, () => Math.floor(next() * 256)))
  const image = { Type: 'XObject', Subtype: 'Image', Width: side, Height: side, ColorSpace: 'DeviceRGB' }
  page.node.setXObject(PDFName.of('Scan'), context.register(context.stream(pixels, { ...image, BitsPerComponent: 8 })))
  page.node.addContentStream(context.register(context.stream('q 500 0 0 600 48 40 cm /Scan Do Q')))
  return Buffer.from(await document.save({ useObjectStreams: false }))
}

/** Returns the upload of a file to Lectern or Directus. No two files are the same. */
export function upload(path: string, pdf: Buffer, fields: Record<string, string> = {}): Call {
  const boundary = 'lectern-bench-boundary'
  const part = (head: string) => `--${boundary}\r\nContent-Disposition: form-data; ${head}`
  const texts = Object.entries(fields).map(([name, value]) => part(`name="${name}"\r\n\r\n${value}\r\n`))
  const file = part('name="note"; filename="A scan.pdf"\r\nContent-Type: application/pdf\r\n\r\n')
  const end = `\n%${randomUUID()}\r\n--${boundary}--\r\n`
  const body = Buffer.concat([Buffer.from(texts.join('') + file), pdf, Buffer.from(end)])
  return { path, method: 'POST', headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, body }
}

export const uploadToLectern = (pdf: Buffer, isAnonymous: boolean): Call =>
  upload('/api/notes', pdf, { courseCode: 'MAT137', academicYear: '2025–26', isAnonymous: `${isAnonymous}` })
