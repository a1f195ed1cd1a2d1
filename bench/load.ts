import { once } from 'node:events'
import autocannon, { type Request } from 'autocannon'
import pg from 'pg'
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
    const options = {
      url: origin,
      connections,
      requests: [{ setupRequest }],
      timeout: 30,
      duration: 120,
      sampleInt: 50,
    }
    const load = autocannon(options, () => {})
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
 * Runs the statements of one list after another on each connection.
 * @param isPrepared for statements with a suitable generic plan.
 */
export function postgresLoad(url: string, connections: number, lists: Statement[][], isPrepared: boolean): Load {
  return async (durationMs) => {
    const slice: Slice = { latenciesMs: [], elapsedMs: 0, failures: 0 }
    const clients = Array.from({ length: connections }, () => new pg.Client(url))
    await Promise.all(clients.map((client) => client.connect()))
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
    const elapsedMs = performance.now() - startedAt
    await Promise.all(clients.map((client) => client.end()))
    return { ...slice, elapsedMs }
  }
}
