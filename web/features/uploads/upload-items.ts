import { errorMessage } from '../../../packages/contract/errors.ts'
import { settleUpload, uploadNotes } from '../../../packages/contract/notes.endpoints.ts'
import { type Note, type NoteEdit, uploadFileField } from '../../../packages/contract/notes.ts'
import { trackPending } from '../../platform/api/activity.ts'
import { ApiError, api, getErrorMessage } from '../../platform/api/client.ts'
import { pause, unlessAborted } from '../../platform/api/pause.ts'
import { keepWritten } from '../notes/cache/note-cache.ts'
import { detailNames } from '../notes/properties.ts'
import { checkDuplicate, whenAnalyzed } from './analyze-files.ts'
import {
  hiddenNamePages,
  needsAttention,
  randomId,
  type UploadPosition,
  type UploadStatus,
  uploadQueue,
} from './upload-queue.ts'

/** The server's limit of concurrent uploads per user. */
const maxAtOnce = 2
const uploadFailure = 'Failed to upload notes. Please try again.'

const cancels = new Map<string, AbortController>()

/** Sends each item in its own request, so that one bad file does not block the others. Resolves when all have ended. */
export async function uploadItems(wanted: Map<string, NoteEdit>): Promise<void> {
  const run = randomId()
  const queue = [...wanted].map(([id, note]) => {
    const place = uploadQueue.find(id)?.place
    if (place?.batch === '') uploadQueue.change(id, { place: { ...place, batch: run } })
    const cancel = new AbortController()
    cancels.set(id, cancel)
    uploadQueue.change(id, { run, sending: { kind: 'waiting' } })
    return () => shareRow(id, note, cancel.signal).finally(() => cancels.delete(id))
  })
  async function work() {
    for (let share = queue.shift(); share; share = queue.shift()) await share()
  }
  await trackPending(Promise.all(Array.from({ length: maxAtOnce }, work)))
}

export const cancelRow = (id: string): void => cancels.get(id)?.abort()

export function cancelAll(): void {
  for (const id of cancels.keys()) cancelRow(id)
}

async function shareRow(id: string, note: NoteEdit, signal: AbortSignal): Promise<void> {
  try {
    await unlessAborted(signal, () => whenAnalyzed(id).then(() => checkDuplicate(id)))
    const row = uploadQueue.find(id)
    if (!row) return
    if (row.findings.unreadable === 'broken') {
      throw new ApiError({
        status: 400,
        body: { code: 'upload_not_pdf', message: errorMessage('upload_not_pdf', { fileName: row.title }) },
      })
    }
    if (needsAttention(row)) return uploadQueue.change(id, { sending: { kind: 'held' } })
    const hidden = row.removesHiddenName ? hiddenNamePages(row).map(({ page }) => page) : []
    const [shared] = (await send(id, uploadForm(note, row.file, row.place, hidden), signal)).notes
    if (!shared) throw new Error('An upload was answered without its note')
    keepShared(id, shared)
  } catch (failure) {
    const isSent = uploadQueue.find(id)?.sending.kind === 'sending'
    const found = isSent && (await findShared(id))
    if (found) return keepShared(id, found)
    const sending: UploadStatus = signal.aborted
      ? { kind: 'cancelled' }
      : { kind: 'failed', reason: getErrorMessage(failure, uploadFailure), isPermanent: isOfTheFile(failure) }
    uploadQueue.change(id, { sending })
  }
}

function keepShared(id: string, note: Note): void {
  keepWritten(note)
  uploadQueue.change(id, { sending: { kind: 'shared', note } })
}

/**
 * Returns the note of an item whose response was lost, from this request or an earlier one. If there is none, the
 * server rejects late arrivals, and the item is sent again in a new batch.
 */
async function findShared(id: string): Promise<Note | null> {
  const row = uploadQueue.find(id)
  if (!row) return null
  try {
    const { note } = await api.call(settleUpload, { body: row.place })
    if (!note) uploadQueue.change(id, { place: { ...row.place, batch: '' } })
    return note
  } catch {
    // The result is unknown: a request with the same position shares the file only if it was not shared before.
    return null
  }
}

async function send(id: string, form: FormData, signal: AbortSignal) {
  for (;;) {
    try {
      uploadQueue.change(id, { sending: { kind: 'sending', loaded: 0, total: 0 } })
      return await api.call(uploadNotes, {
        form,
        signal,
        onProgress: (loaded, total) => uploadQueue.change(id, { sending: { kind: 'sending', loaded, total } }),
      })
    } catch (failure) {
      if (!isRetryable(failure)) throw failure
      uploadQueue.change(id, { sending: { kind: 'waiting', why: failure.message } })
      await pause((failure.retryAfterSeconds ?? 1) * 1000, signal)
    }
  }
}

/** Another upload of the user is in progress, for example in another tab. The daily limit is not waited for. */
const isRetryable = (failure: unknown): failure is ApiError =>
  failure instanceof ApiError && (failure.code === 'too_many_uploads' || failure.code === 'rate_limited')

/** Errors in the file itself, which every retry would repeat. */
const ofTheFile: readonly string[] = [
  'upload_not_pdf',
  'upload_locked',
  'upload_too_complex',
  'upload_infected',
  'upload_unscannable',
  'upload_over_daily_limit',
]
const isOfTheFile = (failure: unknown) => failure instanceof ApiError && ofTheFile.includes(failure.code)

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
