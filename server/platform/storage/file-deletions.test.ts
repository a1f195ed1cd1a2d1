import { sql } from 'kysely'
import { afterEach, expect, it, vi } from 'vitest'
import { createNote, createUser, openTestApp } from '../../testing/app.ts'
import { drainJobs } from '../../testing/drain-jobs.ts'
import { quietLog } from '../../testing/log.ts'
import { expectNoOrphanedFiles, listStored } from '../../testing/storage-assertions.ts'
import { documentOf, makeLocalFile, putBytes } from '../../testing/stored-files.ts'
import { waitForBlockedQueries } from '../../testing/with-blocked-query.ts'
import { inTransaction } from '../db/transaction.ts'
import { openPendingFiles, sweepFiles, sweepFilesWork } from './file-deletions.ts'
import { newFileKey } from './storage.ts'

const test = await openTestApp()
const { db, files } = test.deps
const noSignal = new AbortController().signal
const sweep = () => sweepFiles(db, files, noSignal)

/** Stores a file with a row that is due in `dueInSeconds`. @returns its key. */
async function storeFile(dueInSeconds: number): Promise<string> {
  const key = newFileKey()
  await putBytes(files, key, Buffer.from('content'))
  const delete_after = sql<Date>`now() + ${dueInSeconds} * interval '1 second'`
  await db.insertInto('file_deletions').values({ file_key: key, delete_after }).execute()
  return key
}
const waiting = async () =>
  (await db.selectFrom('file_deletions').select('file_key').execute()).map((row) => row.file_key)
const isStored = async (key: string) => (await listStored(test)).files.includes(key)

/** The storage, which does something before it deletes a file. */
const beforeDelete = (act: (key: string) => unknown) => ({
  ...files,
  async delete(key: string) {
    await act(key)
    await files.delete(key)
  },
})

afterEach(async () => {
  vi.useRealTimers()
  const rows = await db.deleteFrom('file_deletions').returning('file_key').execute()
  for (const row of rows) await files.delete(row.file_key)
})

it('removes the files that are due, and no other', async () => {
  const noteId = await createNote(test, await createUser(test))
  const due = [await storeFile(0), await storeFile(-3600)]
  const later = await storeFile(60)
  await sweep()
  expect(await waiting()).toEqual([later])
  expect(await isStored(later)).toBe(true)
  for (const key of due) expect(await isStored(key)).toBe(false)
  expect(await isStored((await documentOf(test, noteId)).file_key)).toBe(true)
})

it('removes what a process that died left of a file, and does not mind files that are gone', async () => {
  const key = await storeFile(0)
  await files.delete(key)
  await sweep()
  expect(await waiting()).toEqual([])
})

it('waits for a slow storage with one file only, and what was removed stays removed', async () => {
  for (let i = 0; i < 5; i++) await storeFile(-i)
  let left = 5
  const slow = beforeDelete(async () => {
    // Another server sees these rows while the request is in progress.
    expect(await waiting()).toHaveLength(left)
    if (left === 2) throw new Error('The disk is away')
    left--
  })
  await expect(sweepFiles(db, slow, noSignal)).rejects.toThrow('The disk is away')
  expect(await waiting()).toHaveLength(2)
  expect(sweepFilesWork.job.options.timeoutSeconds).toBeGreaterThanOrEqual(3_600)
  await sweep()
  await expectNoOrphanedFiles(test)
})

it('shares the work of two simultaneous sweeps, and removes each file once', async () => {
  for (let i = 0; i < 60; i++) await storeFile(0)
  const deleted: string[] = []
  const counting = beforeDelete((key) => deleted.push(key))
  const removed = await Promise.all([1, 2, 3].map(() => sweepFiles(db, counting, noSignal)))
  await expectNoOrphanedFiles(test)
  expect(new Set(deleted).size).toBe(deleted.length)
  expect(removed.reduce((sum, count) => sum + count)).toBe(deleted.length)
})

it('stops between two files when it is aborted', async () => {
  for (let i = 0; i < 5; i++) await storeFile(0)
  const stopping = new AbortController()
  const stopAfterFirst = beforeDelete(() => stopping.abort())
  expect(await sweepFiles(db, stopAfterFirst, stopping.signal)).toBe(1)
  expect(await waiting()).toHaveLength(4)
})

it('leaves alone a file that a note is claiming at this moment, and the claim wins', async () => {
  const pending = openPendingFiles(db, files, quietLog)
  const key = await pending.store(await makeLocalFile(Buffer.from('content')))
  await db.updateTable('file_deletions').set({ delete_after: sql<Date>`now()` }).execute()
  await inTransaction(db, async (tx) => {
    await pending.claim(tx, [key])
    expect(await sweep()).toBe(0)
  })
  await pending.discard()
  expect(await isStored(key)).toBe(true)
  await files.delete(key)
})

it('refuses to claim a swept file', async () => {
  const pending = openPendingFiles(db, files, quietLog)
  const store = async () => pending.store(await makeLocalFile(Buffer.from('content')))
  const keys = [await store(), await store()]
  await sql`UPDATE file_deletions SET delete_after = now() WHERE file_key = ${keys[0] ?? ''}`.execute(db)
  await sweep()
  await expect(inTransaction(db, (tx) => pending.claim(tx, keys))).rejects.toThrow('deleted before it was claimed')
  await pending.discard()
  await expectNoOrphanedFiles(test)
})

it('makes a claim wait for the sweep that has begun', async () => {
  const pending = openPendingFiles(db, files, quietLog)
  const key = await pending.store(await makeLocalFile(Buffer.from('content')))
  await db.updateTable('file_deletions').set({ delete_after: sql<Date>`now()` }).execute()
  let claim: Promise<void> = Promise.resolve()
  const claimMeanwhile = beforeDelete(async () => {
    claim = inTransaction(db, (tx) => pending.claim(tx, [key]))
    claim.catch(() => {})
    // The claim must wait for the lock of the row before the file is deleted.
    await waitForBlockedQueries(db, 1)
  })
  await sweepFiles(db, claimMeanwhile, noSignal)
  await expect(claim).rejects.toThrow('deleted before it was claimed')
  await pending.discard()
  await expectNoOrphanedFiles(test)
})

it('renews the lease of an upload in progress, and of no other', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const pending = openPendingFiles(db, files, quietLog)
  const key = await pending.store(await makeLocalFile(Buffer.from('content')))
  const others = await storeFile(10)
  await db.updateTable('file_deletions').set({ delete_after: sql<Date>`now() + interval '100 seconds'` }).execute()
  const secondsLeft = async (of: string) => {
    const { rows } = await sql<{ seconds: number }>`
      SELECT extract(epoch FROM delete_after - now())::float8 AS seconds
        FROM file_deletions WHERE file_key = ${of}`.execute(db)
    return rows[0]?.seconds ?? 0
  }
  vi.advanceTimersByTime(60_000)
  await expect.poll(() => secondsLeft(key)).toBeGreaterThan(200)
  expect(await secondsLeft(others)).toBeLessThan(101)
  await pending.discard()
  expect(await waiting()).toEqual([others])
  expect(vi.getTimerCount()).toBe(0)
})

it('keeps the file of a note whose deletion was taken back, and removes it with the note', async () => {
  const noteId = await createNote(test, await createUser(test))
  const { file_key: key } = await documentOf(test, noteId)
  const failing = inTransaction(db, async (tx) => {
    await tx.deleteFrom('notes').where('id', '=', noteId).execute()
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  await sweep()
  expect(await isStored(key)).toBe(true)
  await db.deleteFrom('notes').where('id', '=', noteId).execute()
  await sweep()
  await expectNoOrphanedFiles(test)
})

it('is run every five minutes', async () => {
  const key = await storeFile(0)
  expect(sweepFilesWork.cron).toBe('*/5 * * * *')
  await inTransaction(db, (tx) => test.deps.jobs.enqueue(tx, sweepFilesWork.job, {}))
  await drainJobs(test)
  expect(await isStored(key)).toBe(false)
  expect(await waiting()).toEqual([])
})
