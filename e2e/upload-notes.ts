import { type APIRequestContext, expect } from '@playwright/test'
import type { Note } from '../contract/notes.ts'
import { onePagePdf } from '../server/test/pdf.ts'
import type { Student } from './test.ts'

type Shared = { courseCode: string; academicYear?: string; instructor?: string; isAnonymous?: boolean }

/** Several notes in one request, which is quicker than one request each; ten at most. */
export async function uploadNotes(
  request: APIRequestContext,
  { accessToken }: Student,
  titles: string[],
  { courseCode, academicYear = '2025–26', instructor, isAnonymous = false }: Shared,
): Promise<Note[]> {
  const multipart = new FormData()
  multipart.set('courseCode', courseCode)
  multipart.set('academicYear', academicYear)
  if (instructor !== undefined) multipart.set('instructor', instructor)
  multipart.set('isAnonymous', String(isAnonymous))
  const file = new Blob([new Uint8Array(onePagePdf)], { type: 'application/pdf' })
  for (const title of titles) multipart.append('note', file, `${title}.pdf`)
  const response = await request.post('/api/notes', { headers: { authorization: `Bearer ${accessToken}` }, multipart })
  expect(response.status()).toBe(201)
  return (await response.json()).notes
}
