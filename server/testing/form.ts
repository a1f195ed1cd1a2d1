import { randomBytes } from 'node:crypto'
import { Agent, request as httpRequest } from 'node:http'
import { json } from 'node:stream/consumers'
import type { Note } from '../../packages/contract/notes.ts'
import type { TestApp, TestUser } from './app.ts'
import { onePagePdf } from './pdf.ts'
import { expectStatus } from './refusal.ts'

export type TextPart = { name: string; value: string }
export type FilePart = { name?: string; fileName?: string; content?: Uint8Array; type?: string }
/** A part given by its header lines and its body, for forms that no browser sends. */
type RawPart = { header: string; body: Uint8Array | string }
export type Part = TextPart | FilePart | RawPart

export const field = (name: string, value: string): TextPart => ({ name, value })
export const file = (content: Uint8Array = onePagePdf, fileName = 'week 1.pdf'): FilePart => ({ content, fileName })

/** The text parts of a valid upload. */
export const goodFields: TextPart[] = [field('courseCode', 'MAT137'), field('academicYear', '2025–26')]

/** Returns the body and headers of a multipart form, byte by byte as given. */
export function makeForm(parts: Part[]): { payload: Buffer; headers: Record<string, string> } {
  const boundary = `----lectern${randomBytes(12).toString('hex')}`
  const chunks = parts.flatMap((part) => {
    const { header, body } = 'header' in part ? part : describePart(part)
    return [Buffer.from(`--${boundary}\r\n${header}\r\n\r\n`), Buffer.from(body), Buffer.from('\r\n')]
  })
  const payload = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)])
  return { payload, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } }
}

function describePart(part: TextPart | FilePart): RawPart {
  if ('value' in part) return { header: `Content-Disposition: form-data; name="${part.name}"`, body: part.value }
  const { name = 'note', fileName = 'week 1.pdf', content = onePagePdf, type = 'application/pdf' } = part
  // Browsers escape file names in this way (HTML, "multipart/form-data encoding algorithm").
  const escaped = fileName.replace(/["\r\n]/g, (found) => encodeURIComponent(found))
  return {
    header: `Content-Disposition: form-data; name="${name}"; filename="${escaped}"\r\nContent-Type: ${type}`,
    body: content,
  }
}

/** Sends POST /api/notes as a user, or as a visitor. */
export function upload({ app }: TestApp, user: TestUser | null, parts: Part[]) {
  const { payload, headers } = makeForm(parts)
  return app.inject({ method: 'POST', url: '/api/notes', headers: { ...headers, ...user?.auth }, payload })
}

type UploadOptions = { fileName?: string; isAnonymous?: boolean }

/** Uploads one file as a user. @returns its note. */
export async function uploadNote(
  test: TestApp,
  user: TestUser,
  content?: Uint8Array,
  { fileName, isAnonymous = false }: UploadOptions = {},
): Promise<Note> {
  const parts = [...goodFields, field('isAnonymous', String(isAnonymous)), file(content, fileName)]
  return (await expectStatus(201, upload(test, user, parts))).json().notes[0]
}

/** Opens POST /api/notes over a connection of its own; the test sends the body. */
export function openUpload(port: number, user: TestUser | null, headers: Record<string, string | number>) {
  const options = { port, method: 'POST', path: '/api/notes', headers: { ...user?.auth, ...headers } }
  // Without keep-alive, Node's client stops sending when it has the response.
  const request = httpRequest({ ...options, agent: new Agent({ keepAlive: true }) })
  const answered = new Promise<{ status: number; retryAfter: unknown; body: unknown }>((resolve, reject) => {
    request.once('error', reject)
    request.once('response', (response) => {
      const { statusCode = 0, headers } = response
      const answer = { status: statusCode, retryAfter: headers['retry-after'] }
      json(response).then((body) => resolve({ ...answer, body }), reject)
    })
  })
  return { request, answered }
}
