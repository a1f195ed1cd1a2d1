import { viewNote } from '../../../contract/notes.endpoints.ts'
import type { Note } from '../../../contract/notes.ts'
import { trackActivity } from '../../api/activity.ts'
import { api } from '../../api/client.ts'
import { showFailure } from '../failures.ts'
import { saveFile } from '../opening/save-file.ts'

const downloadFailure = 'Failed to download note. Please try again later.'

/** Saves a note's file under its title. */
export async function downloadNote(note: Note): Promise<void> {
  try {
    saveFile(await trackActivity(api.call(viewNote, { params: { id: note._id } })), note.title)
  } catch (failure) {
    showFailure(failure, note._id, downloadFailure)
  }
}
