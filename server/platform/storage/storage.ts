import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { SpooledFile } from './spool.ts'

/** The first and last byte, both inclusive, as in a Range header. */
export type ByteRange = { start: number; end: number }

/** The headers of a file response. */
export type FileHeaders = { 'content-type': string; 'content-disposition': string; 'cache-control': string }

/** Returns 32 random lower-case hex characters: safe as a file name everywhere and the same on every driver. */
export const newFileKey = (): string => randomBytes(16).toString('hex')

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
  /** Identifies this storage; see `storage-identity.ts`. Null where none was written. */
  readMarker(): Promise<string | null>
  writeMarker(marker: string): Promise<void>
  /** Rejects when the storage cannot be written or read at the moment. */
  check(): Promise<void>
}
