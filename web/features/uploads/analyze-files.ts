import { findSameFile } from '../../../packages/contract/notes.endpoints.ts'
import { api } from '../../platform/api/client.ts'
import { session } from '../../platform/session/store.ts'
import { createSerialQueue } from './create-serial-queue.ts'
import { sha256Of } from './hash-file.ts'
import { suggestTitle } from './readable-title.ts'
import { isAnonymous, tray, type UploadItem } from './upload-queue.ts'

/** What has begun for a row: a look at its file, and the search for its student's name. */
type Begun = { glance?: Promise<void>; names?: Promise<void> }
const begun = new Map<string, Begun>()
/** One file at a time: each may be large. */
const inTurn = createSerialQueue()
/** Larger ones are sent unseen: a phone has not the memory. */
const maxBytes = 200 * 2 ** 20

/**
 * Looks into every file that comes onto the tray, in this browser alone: its first page, its title, whether the same
 * student has shared it before, and, where it is to be anonymous, whether its pages name them.
 */
export function analyzeFiles(): () => void {
  const look = () => {
    const { rows, details } = tray.getState()
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
  return tray.subscribe(look)
}

/** Resolves once nothing more will be found in a row's file. */
export async function whenAnalyzed(id: string): Promise<void> {
  const { glance, names } = begun.get(id) ?? {}
  await Promise.all([glance, names])
}

async function glanceAt(id: string): Promise<void> {
  const row = readableRow(id)
  if (row === null) return
  try {
    const content = await row.file.arrayBuffer()
    tray.addFindings(id, { sha256: await sha256Of(content) })
    await Promise.all([checkDuplicate(id), addGlance(id, content)])
  } catch {
    // The file is gone from the disk, or a part of Lectern could not be loaded: sending will tell.
  }
}

async function addGlance(id: string, content: ArrayBuffer): Promise<void> {
  const { findDamagedPages, readPdfPreview: glanceAtPdf } = await import('./pdf/read-pdf.ts')
  // The content goes to the reader's thread.
  const { title, ...glance } = await glanceAtPdf(content)
  tray.addFindings(id, { ...glance, offeredTitle: suggestTitle(title, tray.find(id)?.title ?? '') })
  const row = tray.find(id)
  if (row && glance.unreadable === null) tray.addFindings(id, { damagedPages: await findDamagedPages(row.file) })
}

async function findNamesIn(id: string): Promise<void> {
  const row = readableRow(id)
  const author = session.getState().user
  if (row === null || author === null) return
  try {
    const content = await row.file.arrayBuffer()
    const { findNames } = await import('./pdf/read-pdf.ts')
    tray.addFindings(id, { names: await findNames(content, author) })
  } catch {
    tray.addFindings(id, { names: { pages: [], pagesRead: 0, pageCount: null, hasText: false } })
  }
}

/** Asks which note the student has shared as this file. Before a retry, too: an answer that got lost may have been a success. */
export async function checkDuplicate(id: string): Promise<void> {
  const sha256 = tray.find(id)?.findings.sha256
  if (!sha256) return
  const answer = await api.call(findSameFile, { query: { sha256 } }).catch(() => null)
  if (answer !== null) tray.addFindings(id, { sameFile: answer.note })
}

/** Null where it was removed meanwhile. */
function readableRow(id: string): UploadItem | null {
  const row = tray.find(id)
  return row !== undefined && row.file.size <= maxBytes ? row : null
}
