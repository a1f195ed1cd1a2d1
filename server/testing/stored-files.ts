import { createHash, randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Deps } from '../dependencies.ts'
import type { FileStorage, SpooledFile } from '../platform/storage/storage.ts'
import { drainJobs } from './drain-jobs.ts'

/** Creates a file on the local disk that a storage can take. */
export async function makeLocalFile(content: Uint8Array, folder = tmpdir()): Promise<SpooledFile> {
  const path = join(folder, `lectern ${randomUUID()}`)
  await writeFile(path, content, { flag: 'wx' })
  return { path, bytes: content.length, sha256: createHash('sha256').update(content).digest() }
}

export async function putBytes(files: FileStorage, key: string, content: Uint8Array): Promise<void> {
  const file = await makeLocalFile(content)
  await files.put(key, file).finally(() => rm(file.path, { force: true }))
}

/** Returns the storage, which does something before it reads a file. */
export const beforeGet = (files: FileStorage, act: (key: string) => unknown): FileStorage => ({
  ...files,
  async get(key, range) {
    await act(key)
    return files.get(key, range)
  },
})

/** Returns the document of a note. */
export function documentOf({ deps }: { deps: Deps }, noteId: string) {
  return deps.db
    .selectFrom('documents')
    .innerJoin('notes', 'notes.document_id', 'documents.id')
    .selectAll('documents')
    .where('notes.id', '=', noteId)
    .executeTakeFirstOrThrow()
}

/** Runs the queued jobs, after which every uploaded document is processed or given up. */
export async function untilProcessed(test: { deps: Deps }): Promise<void> {
  await drainJobs(test)
  const states = await test.deps.db.selectFrom('documents').select(['text_state', 'thumbnail_state']).execute()
  expect(states.filter((row) => Object.values(row).includes('pending'))).toEqual([])
}
