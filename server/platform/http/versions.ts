import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { fail } from './api-error.ts'

/** Derives a version from its contents alone, so that it reveals neither time nor author. */
export const toVersion = (...contents: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(contents)).digest('base64url').slice(0, 22)

/** Sets the ETag to the version that the response contains. */
export function withEtag<T>(reply: FastifyReply, answer: T, version: string | undefined): T {
  if (version !== undefined) reply.header('etag', `"${version}"`)
  return answer
}

/** Checks If-Match (RFC 9110) before a write. @throws outdated */
export function assertCurrentVersion(ifMatch: string | undefined, version: string): void {
  const matchesVersion = (tag: string) => ['*', `"${version}"`].includes(tag.trim())
  if (ifMatch !== undefined && !ifMatch.split(',').some(matchesVersion)) fail('outdated')
}
