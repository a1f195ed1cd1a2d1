import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Note } from '../../../packages/contract/notes.ts'
import { addUnsavedCheck } from '../../platform/layout/unsaved.ts'
import { session } from '../../platform/session/store.ts'
import { chooseFiles, type UploadLimits } from './chosen-files.ts'
import type { NameScan } from './name-check/finding.ts'
import { randomId } from './random-id.ts'
import { readableTitle } from './readable-title.ts'
import type { UploadPosition } from './upload-form.ts'

/** What a student says of a note, as typed. */
export type Details = { courseCode: string; academicYear: string; instructor: string; isAnonymous: boolean }

/** How far the sending of a row has come. */
export type UploadStatus =
  | { kind: 'ready' }
  /** For its turn; `why` is what the server says when it asks to wait. */
  | { kind: 'waiting'; why?: string }
  /** Bytes of the request, and all of them. */
  | { kind: 'sending'; loaded: number; total: number }
  /** Not sent: the student has to answer a question first. */
  | { kind: 'held' }
  | { kind: 'cancelled' }
  /** For good where no other answer would come of the same file. */
  | { kind: 'failed'; reason: string; isForGood: boolean }
  | { kind: 'shared'; note: Note }

/** What is known of a file before it is sent. Null: not yet, or it could not be had. */
export type FileAnalysis = {
  /** Address of a picture of the first page, in this page’s memory. */
  thumbnail: string | null
  pageCount: number | null
  /** Why no reader can open it: it asks for a password, or is no PDF that can be read. */
  unreadable: 'locked' | 'broken' | null
  /** Pages that cannot be shown, because the file is damaged inside. */
  damagedPages: number[]
  /** The title within the file, worth offering. */
  offeredTitle: string | null
  sha256: string | null
  /** The newest note the student has shared as this very file. */
  sameFile: Note | null
  /** Where the student’s name stands, once that was asked for. */
  names: NameScan | null
}

export type UploadItem = {
  id: string
  file: File
  /**
   * Where it stands among all files of this tray, for good: others may leave before it is shared. Without a batch, it gets the
   * one of the next try.
   */
  place: UploadPosition
  /** Identifies the press of Upload that sent it last; empty before the first. */
  run: string
  title: string
  /** What differs from the details of all; null where nothing is to. */
  ownDetails: Partial<Details> | null
  /** What is wrong with title and own details, by field. */
  errors: Partial<Record<keyof Details | 'title', string>>
  findings: FileAnalysis
  /** Questions the student has answered by "Share anyway". */
  accepted: { sameFile: boolean; names: boolean; damage: boolean }
  /** The student's name is to be taken out of invisible text. */
  removesHiddenName: boolean
  sending: UploadStatus
}

/** `details`: those of all, as last typed; null until something is. */
type Tray = { rows: UploadItem[]; details: Details | null }

const empty: Tray = { rows: [], details: null }
let lastId = 0
let nextPlace: UploadPosition = { batch: '', position: 0 }
const store = createStore<Tray>(() => empty)
const { getState, setState } = store

/**
 * What is to be shared. It lies outside the page, so that the student can look elsewhere in Lectern and come back; it
 * goes when somebody else is signed in.
 */
export const tray = {
  getState,
  subscribe: store.subscribe,

  /** @returns the new rows, and what was refused. */
  add(files: Iterable<File>, limits: UploadLimits) {
    const [unsent, shared] = [true, false].map((is) =>
      getState()
        .rows.filter((row) => isUnsent(row) === is)
        .map((row) => row.file),
    )
    const choice = chooseFiles(unsent ?? [], files, limits, shared)
    if (getState().rows.length === 0) nextPlace = { batch: randomId(), position: 0 }
    const rows = choice.files.map(newRow)
    setState((state) => ({ rows: [...state.rows, ...rows] }))
    return { rows, refusals: choice.refusals, leftOut: choice.leftOut }
  },

  find: (id: string): UploadItem | undefined => getState().rows.find((row) => row.id === id),

  change(id: string, change: Partial<UploadItem>) {
    setState(({ rows }) => ({ rows: rows.map((row) => (row.id === id ? { ...row, ...change } : row)) }))
  },

  addFindings(id: string, findings: Partial<FileAnalysis>) {
    const row = tray.find(id)
    if (row) tray.change(id, { findings: { ...row.findings, ...findings } })
    // It was removed meanwhile.
    else forget(findings)
  },

  keepDetails: (details: Details) => setState({ details }),

  remove(isRemoved: (row: UploadItem) => boolean) {
    const { rows } = getState()
    for (const row of rows) if (isRemoved(row)) forget(row.findings)
    setState({ rows: rows.filter((row) => !isRemoved(row)) })
  },

  clear() {
    tray.remove(() => true)
    setState(empty)
  },
}

export function useUploadQueue<T>(selector: (state: Tray) => T): T {
  return useStore(store, selector)
}

export const isUnsent = ({ sending }: UploadItem): boolean => sending.kind !== 'shared'
/** Nothing will ever make a note of it: another file has to be chosen. */
export const isUnrecoverable = ({ sending, findings }: UploadItem): boolean =>
  (sending.kind === 'failed' && sending.isForGood) || (sending.kind === 'held' && findings.unreadable !== null)
export const isInProgress = ({ sending }: UploadItem): boolean =>
  sending.kind === 'waiting' || sending.kind === 'sending'

export const isAnonymous = (row: UploadItem, details: Details | null): boolean =>
  row.ownDetails?.isAnonymous ?? details?.isAnonymous ?? false

const newRow = (file: File): UploadItem => ({
  id: `${++lastId}`,
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

// As everything that is one student's.
session.subscribe((now, before) => {
  if (now.user?._id !== before.user?._id) tray.clear()
})

addUnsavedCheck(() => getState().rows.some(isUnsent))
