import { create } from 'zustand'
import type { Note } from '../../../packages/contract/notes.ts'
import { addUnsavedCheck } from '../../platform/layout/unsaved.ts'
import { session } from '../../platform/session/store.ts'
import type { Details } from '../notes/properties.ts'
import { chooseFiles, type UploadLimits } from './chosen-files.ts'
import { readableTitle } from './readable-title.ts'

/** The position of a file among all files shared together, each in its own request. */
export type UploadPosition = { batch: string; position: number }

export type UploadDetails = Details & { isAnonymous: boolean }

export type UploadStatus =
  | { kind: 'ready' }
  /** `why` is the server's message if it asked to wait. */
  | { kind: 'waiting'; why?: string }
  /** Both are bytes of the request. */
  | { kind: 'sending'; loaded: number; total: number }
  /** Not sent, because the user has to answer a question first. */
  | { kind: 'held' }
  | { kind: 'cancelled' }
  /** `isPermanent` means that a retry with the same file cannot succeed. */
  | { kind: 'failed'; reason: string; isPermanent: boolean }
  | { kind: 'shared'; note: Note }

/** The facts about a file before it is sent. Null means not known yet or not available. */
export type FileAnalysis = {
  /** An object URL of the first page. */
  thumbnail: string | null
  pageCount: number | null
  /** Why no reader can open the file: it needs a password, or it is not a readable PDF. */
  unreadable: 'locked' | 'broken' | null
  damagedPages: number[]
  /** The title in the PDF, if it is a useful suggestion. */
  offeredTitle: string | null
  sha256: string | null
  /** The newest note that the user shared from an identical file. */
  sameFile: Note | null
  /** The matches of the author's name, if they were searched for. */
  names: NameScan | null
}

export type NameScan = {
  /** Pages that name the author, in order, each with its first match, in visible text, invisible text, or both. */
  pages: {
    page: number
    excerpt: { before: string; name: string; after: string }
    isShown: boolean
    isHidden: boolean
  }[]
  /** The number of pages read from the start; it is less than `pageCount` if the file is long or hard to read. */
  pagesRead: number
  pageCount: number | null
  /** False for a scan, which contains no text. */
  hasText: boolean
}

export type UploadItem = {
  id: string
  file: File
  /**
   * The position among all files of this queue. It never changes, because other items may be removed first. An empty
   * batch is replaced by that of the next attempt.
   */
  place: UploadPosition
  /** Identifies the press of Upload that last sent the item; empty before the first. */
  run: string
  title: string
  /** The fields that differ from the shared details; null if the file has only the shared ones. */
  ownDetails: Partial<UploadDetails> | null
  errors: Partial<Record<keyof UploadDetails | 'title', string>>
  findings: FileAnalysis
  /** Questions the user answered with "Share anyway". */
  accepted: { sameFile: boolean; names: boolean; damage: boolean }
  removesHiddenName: boolean
  sending: UploadStatus
}

/** What is kept of an item while its user is away, beside its file. */
export type KeptFields = Pick<UploadItem, 'place' | 'title' | 'ownDetails'> & Pick<Tray, 'details'>

/** `details` are the shared details as last typed; null before that. */
type Tray = { rows: UploadItem[]; details: UploadDetails | null }

const empty: Tray = { rows: [], details: null }
let nextPlace: UploadPosition = { batch: '', position: 0 }
export const useUploadQueue = create<Tray>(() => empty)
const { getState, setState, subscribe } = useUploadQueue

/**
 * The upload queue. It outlives the page, so that the user can visit other pages and return; it is cleared when the
 * user changes.
 */
export const uploadQueue = {
  getState,
  subscribe,

  /** @returns the new items and the rejected files. */
  add(files: Iterable<File>, limits: UploadLimits) {
    const before = getState().rows
    const unsent = before.filter(isUnsent).map((row) => row.file)
    const shared = before.filter((row) => !isUnsent(row)).map((row) => row.file)
    const choice = chooseFiles(unsent, files, limits, shared)
    if (before.length === 0) nextPlace = { batch: randomId(), position: 0 }
    const rows = choice.files.map(newRow)
    setState({ rows: [...before, ...rows] })
    return { rows, refusals: choice.refusals, rejectedFiles: choice.rejectedFiles }
  },

  /** Adds a kept item again. Details typed meanwhile win over the kept ones. */
  restore(id: string, file: File, { details: kept, ...fields }: KeptFields) {
    setState(({ rows, details }) => ({ rows: [...rows, { ...newRow(file), ...fields, id }], details: details ?? kept }))
  },

  find: (id: string): UploadItem | undefined => getState().rows.find((row) => row.id === id),

  change(id: string, change: Partial<UploadItem>) {
    setState(({ rows }) => ({ rows: rows.map((row) => (row.id === id ? { ...row, ...change } : row)) }))
  },

  addFindings(id: string, findings: Partial<FileAnalysis>) {
    const row = uploadQueue.find(id)
    if (row) uploadQueue.change(id, { findings: { ...row.findings, ...findings } })
    // The item was removed meanwhile, so its object URL is released.
    else forget(findings)
  },

  keepDetails: (details: UploadDetails) => setState({ details }),

  remove(isRemoved: (row: UploadItem) => boolean) {
    const { rows } = getState()
    for (const row of rows) if (isRemoved(row)) forget(row.findings)
    setState({ rows: rows.filter((row) => !isRemoved(row)) })
  },

  clear() {
    uploadQueue.remove(() => true)
    setState(empty)
  },
}

export const isUnsent = ({ sending }: UploadItem): boolean => sending.kind !== 'shared'
export const sharedNotes = (rows: UploadItem[]): Note[] =>
  rows.flatMap(({ sending }) => (sending.kind === 'shared' ? [sending.note] : []))
/** No retry can succeed, so the user has to choose another file. */
export const isUnrecoverable = ({ sending, findings }: UploadItem): boolean =>
  (sending.kind === 'failed' && sending.isPermanent) || (sending.kind === 'held' && findings.unreadable !== null)
export const isSendable = (row: UploadItem): boolean => isUnsent(row) && !isUnrecoverable(row)
export const isInProgress = ({ sending }: UploadItem): boolean =>
  sending.kind === 'waiting' || sending.kind === 'sending'

export const isAnonymous = (row: UploadItem, details: UploadDetails | null): boolean =>
  row.ownDetails?.isAnonymous ?? details?.isAnonymous ?? false

/** Whether the user has to decide something before an item is sent. */
export function needsAttention(row: UploadItem): boolean {
  const { unreadable, damagedPages } = row.findings
  if (unreadable !== null || (damagedPages.length > 0 && !row.accepted.damage)) return true
  return (isAlreadyUploaded(row) && !row.accepted.sameFile) || (containsAuthorName(row) && !row.accepted.names)
}

/** Another item of the same upload does not count, because the page already shows both as the same file. */
export function isAlreadyUploaded({ id, run, findings: { sha256, sameFile } }: UploadItem): boolean {
  const isTwinSent = (other: UploadItem) =>
    other.id !== id &&
    other.findings.sha256 === sha256 &&
    (other.sending.kind === 'sending' || (other.sending.kind === 'shared' && run !== '' && other.run === run))
  return sameFile !== null && !uploadQueue.getState().rows.some(isTwinSent)
}

const containsAuthorName = (row: UploadItem): boolean =>
  namedPages(row).length > 0 && isAnonymous(row, uploadQueue.getState().details)

/** The pages that will name the author in the shared note. */
export const namedPages = ({ findings: { names }, removesHiddenName }: UploadItem) =>
  (names?.pages ?? []).filter((page) => page.isShown || !removesHiddenName)

export const hiddenNamePages = ({ findings: { names } }: UploadItem) =>
  (names?.pages ?? []).filter((page) => page.isHidden)

/** Returns an earlier item with the same file, byte for byte. */
export function findDuplicate(row: UploadItem, rows: UploadItem[]): UploadItem | null {
  const { sha256 } = row.findings
  const before = rows.slice(0, rows.indexOf(row))
  return (sha256 && before.find((other) => other.findings.sha256 === sha256)) || null
}

const newRow = (file: File): UploadItem => ({
  id: randomId(),
  file,
  place: takePlace(),
  run: '',
  title: readableTitle(file.name),
  ownDetails: null,
  errors: {},
  findings: {
    thumbnail: null,
    pageCount: null,
    unreadable: null,
    damagedPages: [],
    offeredTitle: null,
    sha256: null,
    sameFile: null,
    names: null,
  },
  accepted: { sameFile: false, names: false, damage: false },
  removesHiddenName: false,
  sending: { kind: 'ready' },
})

function takePlace(): UploadPosition {
  const place = nextPlace
  nextPlace = { ...place, position: place.position + 1 }
  return place
}

function forget({ thumbnail }: Partial<FileAnalysis>) {
  if (thumbnail) URL.revokeObjectURL(thumbnail)
}

// The queue belongs to one user, so it is cleared when the user changes.
session.subscribe((now, before) => {
  if (now.user?._id !== before.user?._id) uploadQueue.clear()
})

addUnsavedCheck(() => getState().rows.some(isUnsent))

type Progress = {
  bytes: number
  sent: number
  /** All sent bytes have arrived, and the server is checking them. */
  isChecking: boolean
}

export function readProgress(rows: Pick<UploadItem, 'file' | 'sending'>[]): Progress {
  const bytes = rows.reduce((sum, { file }) => sum + file.size, 0)
  const sent = rows.reduce((sum, row) => sum + sentBytes(row), 0)
  const underWay = rows.flatMap(({ sending }) => (sending.kind === 'sending' ? [sending] : []))
  const isChecking = underWay.length > 0 && underWay.every(({ loaded, total }) => total > 0 && loaded >= total)
  return { bytes, sent, isChecking }
}

/** Scales to the size of the file, because `loaded` and `total` include the multipart overhead. */
function sentBytes({ file, sending }: Pick<UploadItem, 'file' | 'sending'>): number {
  if (sending.kind === 'shared') return file.size
  if (sending.kind !== 'sending' || sending.total === 0) return 0
  return Math.min(1, sending.loaded / sending.total) * file.size
}

/** Runs tasks one after another; a failed task does not stop the next. */
export function createSerialQueue() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(task: () => Promise<T>): Promise<T> => {
    const run = last.then(task)
    last = run.catch(() => {})
    return run
  }
}

/** Returns a random UUID. `crypto.randomUUID` is not available on a page without https. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  // The bits set version 4 and variant 1.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
