import { type NoteEdit, uploadFileField } from '../../../packages/contract/notes.ts'

/** Where a file stands among all that are shared at once, each in a request of its own. */
export type UploadPosition = { batch: string; position: number }

/** The multipart body of POST /api/notes: the text parts first, so that the server knows them when a file arrives. */
export function uploadForm(
  details: NoteEdit,
  file: File,
  place?: UploadPosition,
  hiddenNamePages: number[] = [],
): FormData {
  const form = new FormData()
  form.append('courseCode', details.courseCode)
  form.append('academicYear', details.academicYear)
  if (details.instructor !== undefined) form.append('instructor', details.instructor)
  form.append('isAnonymous', String(details.isAnonymous))
  if (details.title !== undefined) form.append('title', details.title)
  if (place !== undefined) {
    form.append('batch', place.batch)
    form.append('position', String(place.position))
  }
  if (hiddenNamePages.length > 0) form.append('hiddenNamePages', hiddenNamePages.join())
  form.append(uploadFileField, file, file.name)
  return form
}
