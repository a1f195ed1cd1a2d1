import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

/** The first and last byte, both inclusive, as in a Range header. */
export type ByteRange = { start: number; end: number }

/** The headers of a file response. */
export type FileHeaders = { 'content-type': string; 'content-disposition': string; 'cache-control': string }

/** Returns 32 random lower-case hex characters: safe as a file name everywhere and the same on every driver. */
export const newFileKey = (): string => randomBytes(16).toString('hex')

/** A file on the local disk that the storage does not have yet. */
export type SpooledFile = { path: string; bytes: number; sha256: Buffer }

/** Stores files. Keys come from `newFileKey` and reveal neither the owner nor the content of a file. */
export type FileStorage = {
  /**
   * Stores a file of the local disk under a new key; the local file may be gone afterwards. When this resolves, the
   * file is complete, matches its hash even after a transfer, and survives a power cut. When the process dies, or this
   * rejects with `StorageUnavailableError`, the file may still appear.
   */
  put(key: string, file: SpooledFile): Promise<void>
  /** Resolves to null when there is no such file. The stream stays readable when the file is deleted meanwhile. */
  get(key: string, range?: ByteRange): Promise<Readable | null>
  /** Writes a copy to an unused path of the local disk. @returns whether there is such a file. */
  downloadTo(key: string, path: string): Promise<boolean>
  /** Resolves to null when there is no such file. */
  getSize(key: string): Promise<number | null>
  /** Lists the keys of all files in no order; files added or deleted meanwhile may be included. */
  list(): AsyncIterable<string>
  /** Deletes the file and the rest of an interrupted `put`. A missing file is no error. */
  delete(key: string): Promise<void>
  /** A presigned URL: anyone who has it gets the file for a few minutes, with these headers. Null without one. */
  createDownloadUrl(key: string, headers: FileHeaders): Promise<string | null>
  /** Identifies this storage; see `open-storage.ts`. Null where none was written. */
  readMarker(): Promise<string | null>
  writeMarker(marker: string): Promise<void>
  /** Rejects when the storage cannot be written or read at the moment. */
  check(): Promise<void>
}

/**
 * A storage failure that the request did not cause. The message shows the operator what to check; it contains no
 * secret, and only the name of a library's error.
 */
export class StorageUnavailableError extends Error {
  override name = 'StorageUnavailableError'
  /** The operator has to change a setting: the failure does not pass on its own. */
  readonly isMisconfigured: boolean

  constructor(message: string, { isMisconfigured = false } = {}) {
    super(message)
    this.isMisconfigured = isMisconfigured
  }
}

// The disk is full, over quota, read-only or broken, or too many files are open: the request is not at fault.
const awayCodes = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE'])

export const isAwayCode = (code: string): boolean => awayCodes.has(code)

/** True when storing or reading failed because of the storage's state, and succeeds once that is repaired. */
export function isStorageUnavailable(error: unknown): boolean {
  if (error instanceof StorageUnavailableError) return true
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && isAwayCode(error.code)
}

/** The probe is as large as a typical note. When it does not fit, uploads are refused. */
const probe = Array<Buffer>(16).fill(Buffer.alloc(2 ** 16))

/** Rejects when a folder cannot be written to. Writing detects quotas and missing permissions as well as full disks. */
export async function assertWritable(folder: string): Promise<void> {
  // With one fixed name, crashed processes leave at most one file.
  const path = join(folder, 'probe')
  try {
    await writeFile(path, probe, { mode: 0o600 })
  } finally {
    await rm(path, { force: true })
  }
}

/** Runs one check at a time; callers in the meantime share its result. */
export function singleFlight(check: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  return () => {
    running ??= check().finally(() => {
      running = null
    })
    return running
  }
}
