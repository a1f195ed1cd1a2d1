import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { SpooledFile } from './spool.ts'

/** First and last byte, both included, as in a Range header. */
export type ByteRange = { start: number; end: number }

/** What an answer in bytes says of itself. */
export type FileHeaders = { 'content-type': string; 'content-disposition': string; 'cache-control': string }

/** 32 random lower-case hex characters: safe as a file name everywhere and the same on every driver. */
export const newFileKey = (): string => randomBytes(16).toString('hex')

/** Where files are kept. Keys are made by `newFileKey` and never say whose file it is or what it holds. */
export type FileStorage = {
  /**
   * Stores a file of the local disk under a fresh key; where it lay it may be gone. When this resolves the file is
   * whole, to the byte what its hash says wherever it had to travel, and survives a power cut; when the
   * process dies, or it rejects with `StorageAway`, the file may still appear.
   */
  put(key: string, file: SpooledFile): Promise<void>
  /** Null when there is no such file. The stream stays readable when the file is deleted meanwhile. */
  get(key: string, range?: ByteRange): Promise<Readable | null>
  /** Writes a copy to the local disk, where nothing is yet. @returns whether there is such a file. */
  copyTo(key: string, path: string): Promise<boolean>
  /** Null when there is no such file. */
  sizeOf(key: string): Promise<number | null>
  /** Every file there is, in no order; one that comes or goes meanwhile may be among them. */
  list(): AsyncIterable<string>
  /** Removes the file and whatever an interrupted `put` left of it. No error when there is none. */
  delete(key: string): Promise<void>
  /** An address that gives whoever has it the file for a few minutes, with these headers. Null where there is none. */
  addressOf(key: string, headers: FileHeaders): Promise<string | null>
  /** What tells this storage from others; see `own-storage.ts`. Null where none was written. */
  readMarker(): Promise<string | null>
  writeMarker(marker: string): Promise<void>
  /** Rejects when the storage cannot be written or read at the moment. */
  check(): Promise<void>
}
