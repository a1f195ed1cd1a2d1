import { findSameFile } from '../../../packages/contract/notes.endpoints.ts'
import { api } from '../../platform/api/client.ts'
import { session } from '../../platform/session/store.ts'
import { sha256Of } from './hash-file.ts'
import { suggestTitle } from './readable-title.ts'
import { createSerialQueue, isAnonymous, type UploadItem, uploadQueue } from './upload-queue.ts'

/** The started tasks of an item: the preview of its file, and the search for the author's name. */
type Begun = { glance?: Promise<void>; names?: Promise<void> }
const begun = new Map<string, Begun>()
/** Only one file is analysed at a time, because each may be large. */
const inTurn = createSerialQueue()
/** Larger files are sent without analysis, because a phone does not have the memory. */
const maxBytes = 200 * 2 ** 20

/**
 * Analyses every file added to the queue, in this browser only: its first page, its title, whether the user shared it
 * before and, if it is anonymous, whether its pages name the author.
 */
export function analyzeFiles(): () => void {
  const look = () => {
    const { rows, details } = uploadQueue.getState()
    for (const row of rows) {
      const tasks = begun.get(row.id) ?? {}
      begun.set(row.id, tasks)
      tasks.glance ??= inTurn(() => glanceAt(row.id))
      if (isAnonymous(row, details)) tasks.names ??= inTurn(() => findNamesIn(row.id))
    }
    const ids = new Set(rows.map((row) => row.id))
    for (const id of begun.keys()) if (!ids.has(id)) begun.delete(id)
  }
  look()
  return uploadQueue.subscribe(look)
}

/** A changed name or email has to be searched for, even if the user accepted that the files contain the earlier one. */
session.subscribe(({ user }, before) => {
  if (user?.name === before.user?.name && user?.email === before.user?.email) return
  for (const tasks of begun.values()) delete tasks.names
  for (const { id, findings, accepted } of uploadQueue.getState().rows)
    uploadQueue.change(id, { findings: { ...findings, names: null }, accepted: { ...accepted, names: false } })
})

export async function whenAnalyzed(id: string): Promise<void> {
  const { glance, names } = begun.get(id) ?? {}
  await Promise.all([glance, names])
}

async function glanceAt(id: string): Promise<void> {
  const row = readableRow(id)
  if (row === null) return
  try {
    const content = await row.file.arrayBuffer()
    uploadQueue.addFindings(id, { sha256: await sha256Of(content) })
    await Promise.all([checkDuplicate(id), addGlance(id, content)])
  } catch {
    // The file is gone from the disk or a chunk failed to load; the upload reports the error.
  }
}

async function addGlance(id: string, content: ArrayBuffer): Promise<void> {
  const { findDamagedPages, readPdfPreview } = await import('./pdf/read-pdf.ts')
  // The content is transferred to the worker of pdf.js.
  const { title, ...preview } = await readPdfPreview(content)
  uploadQueue.addFindings(id, { ...preview, offeredTitle: suggestTitle(title, uploadQueue.find(id)?.title ?? '') })
  const row = uploadQueue.find(id)
  if (row && preview.unreadable === null)
    uploadQueue.addFindings(id, { damagedPages: await findDamagedPages(row.file) })
}

async function findNamesIn(id: string): Promise<void> {
  const row = readableRow(id)
  const author = session.getState().user
  if (row === null || author === null) return
  try {
    const content = await row.file.arrayBuffer()
    const { findNames } = await import('./pdf/read-pdf.ts')
    uploadQueue.addFindings(id, { names: await findNames(content, author) })
  } catch {
    uploadQueue.addFindings(id, { names: { pages: [], pagesRead: 0, pageCount: null, hasText: false } })
  }
}

/** Looks up the user's note of the same file. Runs before a retry too: the lost response may have been a success. */
export async function checkDuplicate(id: string): Promise<void> {
  const sha256 = uploadQueue.find(id)?.findings.sha256
  if (!sha256) return
  const answer = await api.call(findSameFile, { query: { sha256 } }).catch(() => null)
  if (answer !== null) uploadQueue.addFindings(id, { sameFile: answer.note })
}

/** Null if the item was removed or its file is too large. */
function readableRow(id: string): UploadItem | null {
  const row = uploadQueue.find(id)
  return row !== undefined && row.file.size <= maxBytes ? row : null
}
