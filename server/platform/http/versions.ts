import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { fail } from './api-error.ts'

/** Names a version by its contents, so that it says nothing of when or by whom it was made. */
export const toVersion = (...contents: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(contents)).digest('base64url').slice(0, 22)

/** Sends an answer with the ETag of the version that it holds. */
export function withEtag<T>(reply: FastifyReply, answer: T, version: string | undefined): T {
  if (version !== undefined) reply.header('etag', `"${version}"`)
  return answer
}

/** If-Match of RFC 9110, for a write. @throws outdated */
export function refuseOutdated(ifMatch: string | undefined, version: string): void {
  const isMeant = (tag: string) => ['*', `"${version}"`].includes(tag.trim())
  if (ifMatch !== undefined && !ifMatch.split(',').some(isMeant)) fail('outdated')
}
