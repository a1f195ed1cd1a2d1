import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Config } from '../config.ts'
import { sweepFiles } from '../platform/storage/file-deletions.ts'
import type { FileStorage } from '../platform/storage/storage.ts'
import type { TestApp } from './app.ts'
import { drainJobs } from './drain-jobs.ts'

type Where = { config: Pick<Config, 's3' | 'dataDir'>; files: FileStorage }

/** Lists the keys of complete files in the storage, and the unfinished files. */
export async function listStored({ deps }: { deps: Where }): Promise<{ files: string[]; incoming: string[] }> {
  const { s3, dataDir } = deps.config
  const files = (await Array.fromAsync(deps.files.list())).sort()
  if (!s3) return { files, incoming: await readdir(join(dataDir, 'files', 'incoming')) }
  const { listUploads } = await import('./s3.ts')
  return { files, incoming: await listUploads(s3.bucket) }
}

/** Lists all differences between files and rows of the whole database, and pending files. */
async function lookAround(test: TestApp) {
  const { config, db } = test.deps
  const joined = db.selectFrom('documents').leftJoin('notes', 'notes.document_id', 'documents.id')
  const documents = await joined.select(['file_key', 'notes.id as noteId']).execute()
  const removals = await db.selectFrom('file_deletions').select('file_key').execute()
  const { files, incoming } = await listStored(test)
  const thumbnails = await db.selectFrom('thumbnails').selectAll().execute()
  const exported = await db.selectFrom('exports').select('file_key').where('file_key', 'is not', null).execute()
  const claimed = [
    ...exported.map(({ file_key }) => file_key ?? ''),
    ...documents.filter(({ noteId }) => noteId !== null).map((document) => document.file_key),
    ...thumbnails.flatMap((thumbnail) => [thumbnail.small_file_key, thumbnail.large_file_key]),
  ]
  const ownerless = documents.filter(({ noteId }) => noteId === null)
  const spooled = await readdir(join(config.dataDir, 'spool'))
  const unclaimed = files.filter((key) => !claimed.includes(key))
  const missing = claimed.filter((key) => !files.includes(key))
  return { unclaimed, missing, ownerless, removals, incoming, spooled }
}

/**
 * Runs the queued jobs, which process uploaded notes. Expects that every note then has its files, that there are no
 * other files, and that no deletion is pending.
 */
export async function expectNoOrphanedFiles(test: TestApp): Promise<void> {
  const tidy = { unclaimed: [], missing: [], ownerless: [], removals: [], incoming: [], spooled: [] }
  await drainJobs(test)
  await expect.poll(() => lookAround(test)).toEqual(tidy)
}

/** Lets the leases of all pending files expire, sweeps, and expects that only files of notes are left. */
export async function expectNoOrphanedFilesAfterSweep(test: TestApp): Promise<void> {
  const { db, files } = test.deps
  await db.updateTable('file_deletions').set({ delete_after: sql<Date>`now()` }).execute()
  await sweepFiles(db, files, new AbortController().signal)
  await expectNoOrphanedFiles(test)
}

export const countNotes = async ({ deps }: TestApp, userId: string): Promise<number> =>
  (await deps.db.selectFrom('notes').select('id').where('user_id', '=', userId).execute()).length

/** Expects that a refused upload left no note, no file and no pending deletion. */
export async function expectNothingKept(test: TestApp, userId: string): Promise<void> {
  expect(await countNotes(test, userId)).toBe(0)
  await expectNoOrphanedFiles(test)
}
