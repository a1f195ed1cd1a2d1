import { type NoteEdit, uploadFileField } from '../../../packages/contract/notes.ts'
import { detailNames } from '../notes/properties.ts'

/** The position of a file among all files shared together, each in its own request. */
export type UploadPosition = { batch: string; position: number }

/** Builds the body of POST /api/notes. The text parts come first, so that the server has them when the file arrives. */
export function uploadForm(
  details: NoteEdit,
  file: File,
  place?: UploadPosition,
  hiddenNamePages: number[] = [],
): FormData {
  const form = new FormData()
  for (const name of detailNames) if (details[name] !== undefined) form.append(name, details[name])
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
