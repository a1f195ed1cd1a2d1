import type { Readable } from 'node:stream'

/** First and last byte, both included, as in a Range header. */
export type ByteRange = { start: number; end: number }

/** Where files are kept. Keys are made by `newFileKey` and never say whose file it is or what it holds. */
export type FileStorage = {
  /**
   * Stores a file of the local disk under a fresh key; where it lay it may be gone. When this resolves the file is
   * whole and survives a power cut; when it rejects, or the process dies, there is no file under the key.
   */
  put(key: string, path: string): Promise<void>
  /** Null when there is no such file. The stream stays readable when the file is deleted meanwhile. */
  get(key: string, range?: ByteRange): Promise<Readable | null>
  /** Null when there is no such file. */
  sizeOf(key: string): Promise<number | null>
  /** Every file there is, in no order; one that comes or goes meanwhile may be among them. */
  list(): AsyncIterable<string>
  /** Removes the file and whatever an interrupted `put` left of it. No error when there is none. */
  delete(key: string): Promise<void>
  /** Rejects when the storage cannot be written or read at the moment. */
  check(): Promise<void>
}
