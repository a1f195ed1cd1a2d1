import { viewNote } from '../../../packages/contract/notes.endpoints.ts'
import type { Note } from '../../../packages/contract/notes.ts'
import { trackPending } from '../../platform/api/activity.ts'
import { api } from '../../platform/api/client.ts'
import { showFailure } from '../notes/note-errors.ts'
import { saveFile } from '../notes/open-file/save-file.ts'

const downloadFailure = 'Failed to download note. Please try again later.'

/** Saves a note's file under its title. */
export async function downloadNote(note: Note): Promise<void> {
  try {
    saveFile(await trackPending(api.call(viewNote, { params: { id: note._id } })), note.title)
  } catch (failure) {
    showFailure(failure, note._id, downloadFailure)
  }
}
