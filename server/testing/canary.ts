import { inflateSync } from 'node:zlib'
import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import type { TestUser } from './app.ts'

/** A name and an email address of which no part occurs anywhere else. */
export const canary = { name: 'Zyxwvut Qänarywoman', email: 'zq.tweetytweet7@uni.example' }

/** Lists everything that identifies a user, in every spelling. The search ignores case. */
function traces({ id, name, email }: TestUser): string[] {
  const localPart = email.split('@')[0] ?? ''
  const hex = id.replaceAll('-', '')
  const withoutMarks = name.normalize('NFD').replace(/\p{M}/gu, '')
  const texts = [name, ...name.split(' '), withoutMarks, email, localPart, localPart.split('.').at(-1) ?? '']
  const spelled = [...texts, id].flatMap((text) => [
    text,
    encodeURIComponent(text),
    JSON.stringify(text).slice(1, -1),
    Buffer.from(text).toString('base64').replace(/=+$/, ''),
    Buffer.from(text).toString('hex'),
    Buffer.from(text, 'utf16le').swap16().toString('latin1'),
  ])
  const bytes = Buffer.from(hex, 'hex')
  const encodings = [bytes.toString('latin1'), bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')]
  return [...spelled, hex, ...encodings]
}

/** Returns every byte of a response: status line, headers, body, and the decompressed streams of a PDF. */
function everyByte(response: LightMyRequestResponse): string {
  const body = response.rawPayload.toString('latin1')
  const streams = [...body.matchAll(/stream\r?\n(.*?)\r?\nendstream/gs)].map(([, content = '']) => {
    try {
      return inflateSync(Buffer.from(content, 'latin1')).toString('latin1')
    } catch {
      return ''
    }
  })
  const head = `${response.statusCode} ${response.statusMessage}\n${JSON.stringify(response.headers)}`
  return [head, body, ...streams].join('\n').toLowerCase()
}

/** Lists the traces of a user in a response; the list is empty if the response does not identify the user. */
export function findTraces(user: TestUser, response: LightMyRequestResponse): string[] {
  // Random ids and keys contain a short name by chance: Ada is hexadecimal.
  if (user.name.split(' ').some((part) => part.length < 6)) throw new Error('Use the name of `canary`')
  const haystack = everyByte(response)
  // Traces are searched as text and as UTF-8 bytes.
  const isThere = (trace: string) =>
    [trace, Buffer.from(trace).toString('latin1')].some((text) => haystack.includes(text.toLowerCase()))
  return [...new Set(traces(user))].filter(isThere)
}

export function expectNoLeak(user: TestUser, response: LightMyRequestResponse): void {
  expect(findTraces(user, response)).toEqual([])
}
