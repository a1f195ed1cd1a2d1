import { readFile } from 'node:fs/promises'
import { type Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect } from 'vitest'
import type { Tx } from '../../platform/db/pool.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { getCurrentContext } from '../../platform/observability/telemetry.ts'
import { sweepFiles } from '../../platform/storage/file-deletions.ts'
import type { SpoolFolder } from '../../platform/storage/spool.ts'
import type { SpooledFile } from '../../platform/storage/storage.ts'
import { createUser, itWithUsers, openTestApp } from '../../testing/app.ts'
import { field, file, goodFields, upload, uploadNote } from '../../testing/form.ts'
import { createPdfWithText, pdfByAuthor, pdfOfBytes } from '../../testing/pdf-kinds.ts'
import { expectRefusal } from '../../testing/refusal.ts'
import {
  countNotes,
  expectNoOrphanedFiles,
  expectNoOrphanedFilesAfterSweep,
  expectNothingKept,
  listStored,
} from '../../testing/storage-assertions.ts'
import { untilProcessed } from '../../testing/stored-files.ts'

const test = await openTestApp()
const it = itWithUsers(test)
const { db, files: realFiles, pdf: realPdf, spool: realSpool } = test.deps
const threeFiles = [file(createPdfWithText('one')), file(pdfOfBytes(300_000)), file(createPdfWithText('three'))]
const heal = () => Object.assign(test.deps, { db, files: realFiles, pdf: realPdf, spool: realSpool })
afterEach(async () => {
  heal()
  // Thumbnails are put into the same storage, whose files and failures the tests count.
  await untilProcessed(test)
})

const diskError = (code: string) => Object.assign(new Error(`${code}: as the disk says it`), { code })

/** Lets the first `sound` calls of `put` succeed. */
function failPutAfter(sound: number, fail: () => Promise<void>) {
  let calls = 0
  test.deps.files = { ...realFiles, put: (key, file) => (calls++ < sound ? realFiles.put(key, file) : fail()) }
}

/** Lets the first `sound` files of each request succeed. */
function failSpoolAfter(sound: number, fail: (folder: SpoolFolder, content: Readable) => Promise<SpooledFile>) {
  test.deps.spool = {
    ...realSpool,
    async openFolder() {
      const folder = await realSpool.openFolder()
      let calls = 0
      return { ...folder, write: (content) => (calls++ < sound ? folder.write(content) : fail(folder, content)) }
    },
  }
}

async function expectNothingKeptUntilHealed(anonymous: boolean): Promise<void> {
  const user = await createUser(test)
  const parts = [...goodFields, field('isAnonymous', String(anonymous)), ...threeFiles]
  expectRefusal(await upload(test, user, parts), 'unavailable')
  heal()
  await expectNothingKept(test, user.id)
  expect((await upload(test, user, parts)).statusCode).toBe(201)
  await expectNoOrphanedFiles(test)
}

it.each([
  ['disk', 'ENOSPC', 0, false],
  ['disk', 'ENOSPC', 1, false],
  ['disk', 'ENOSPC', 2, true],
  ['disk', 'EROFS', 1, true],
  ['storage', 'ENOSPC', 0, false],
  ['storage', 'EROFS', 1, false],
  ['storage', 'EIO', 2, false],
  ['storage', 'EIO', 0, true],
  ['storage', 'ENOSPC', 2, true],
] as const)('a %s that fails with %s to take file %i keeps nothing', async (where, code, sound, anonymous) => {
  const fail = (): Promise<never> => Promise.reject(diskError(code))
  if (where === 'disk') failSpoolAfter(sound, fail)
  else failPutAfter(sound, fail)
  await expectNothingKeptUntilHealed(anonymous)
})

it('a disk that fails to write what it has read keeps nothing', async ({ user }) => {
  failSpoolAfter(1, async (_folder, content) => {
    let bytes = 0
    const full = new Writable({
      write(chunk, _encoding, done) {
        bytes += chunk.length
        done(bytes > 100_000 ? diskError('ENOSPC') : null)
      },
    })
    await pipeline(content, full)
    throw new Error('It was not full')
  })
  expectRefusal(await upload(test, user, [...goodFields, ...threeFiles]), 'unavailable')
  await expectNothingKept(test, user.id)
})

it('a storage never sees the original of an anonymous note, nor a file of a refused upload', async ({ user }) => {
  const original = pdfByAuthor('Somebody')
  const seen: Buffer[] = []
  async function put(key: string, file: SpooledFile) {
    // Jobs store the thumbnail of the uploaded file here, too.
    if (getCurrentContext()?.kind === 'request') seen.push(await readFile(file.path))
    await realFiles.put(key, file)
  }
  test.deps.files = { ...realFiles, put }
  await uploadNote(test, user, original, { isAnonymous: true })
  expect(seen.map((bytes) => bytes.includes('Somebody'))).toEqual([false])
  const bad = file(Buffer.from('no PDF'), 'bad.pdf')
  const refused = await upload(test, user, [...goodFields, file(original), bad])
  expectRefusal(refused, 'upload_not_pdf', 'Only PDF files can be uploaded. “bad” isn’t a readable PDF.')
  expect(seen).toHaveLength(1)
  await expectNoOrphanedFiles(test)
})

it('a storage that fails for an unknown reason answers 500', async ({ user }) => {
  failPutAfter(1, () => Promise.reject(new Error('What?')))
  expectRefusal(await upload(test, user, [...goodFields, ...threeFiles]), 'unexpected')
  await expectNothingKept(test, user.id)
})

it('a storage that fails to delete does not change the answer, and the sweep deletes later', async ({ user }) => {
  const before = (await listStored(test)).files.length
  failPutAfter(2, () => Promise.reject(diskError('EIO')))
  test.deps.files.delete = () => Promise.reject(diskError('EIO'))
  expectRefusal(await upload(test, user, [...goodFields, ...threeFiles]), 'unavailable')
  expect((await listStored(test)).files).toHaveLength(before + 2)
  heal()
  await expectNoOrphanedFilesAfterSweep(test)
  expect(await countNotes(test, user.id)).toBe(0)
})

describe('a database that fails', () => {
  beforeAll(async () => {
    const doom = (name: string, timing: string, action: string) => sql`
      CREATE FUNCTION ${sql.raw(name)}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${sql.raw(action)}; RETURN NEW; END $$;
      CREATE CONSTRAINT TRIGGER ${sql.raw(name)} AFTER INSERT ON notes ${sql.raw(timing)}
        FOR EACH ROW WHEN (NEW.title = ${sql.lit(name)}) EXECUTE FUNCTION ${sql.raw(name)}()`
    const refuse = `RAISE EXCEPTION 'no'`
    const die = 'PERFORM pg_terminate_backend(pg_backend_pid())'
    await sql`${doom('doomed_insert', '', refuse)};
      ${doom('doomed_commit', 'DEFERRABLE INITIALLY DEFERRED', refuse)};
      ${doom('dying_insert', '', die)};
      ${doom('dying_commit', 'DEFERRABLE INITIALLY DEFERRED', die)}`.execute(db)
  })

  it.for([
    ['inserting', 'doomed_insert', 'unexpected'],
    ['committing', 'doomed_commit', 'unexpected'],
    ['inserting, by losing the connection', 'dying_insert', 'unavailable'],
    ['committing, by losing the connection', 'dying_commit', 'unavailable'],
  ] as const)('when %s keeps nothing', async ([_when, title, code], { user }) => {
    expectRefusal(await upload(test, user, [...goodFields, ...threeFiles, file(undefined, `${title}.pdf`)]), code)
    expect(await countNotes(test, user.id)).toBe(0)
    // Only the database knows whether a lost transaction was committed, so the files are left to the sweep.
    await expectNoOrphanedFilesAfterSweep(test)
  })

  it('once the notes are kept changes nothing', async ({ user }) => {
    let isCommitted = false
    test.deps.db = new Proxy(db, {
      get(_db, name) {
        if (isCommitted) throw new Error('The database is away')
        const value = Reflect.get(db, name)
        if (name !== 'transaction') return typeof value === 'function' ? value.bind(db) : value
        return () => ({
          async execute<T>(work: (tx: Tx) => Promise<T>) {
            const result = await inTransaction(db, work)
            isCommitted = true
            return result
          },
        })
      },
    })
    const response = await upload(test, user, [...goodFields, ...threeFiles])
    expect([response.statusCode, response.json().notes?.length]).toEqual([201, 3])
    test.deps.db = db
    expect(await countNotes(test, user.id)).toBe(3)
    await expectNoOrphanedFiles(test)
  })
})

it('a check of the files that is busy keeps nothing', async ({ user }) => {
  test.deps.pdf = { ...realPdf, runForOwner: () => Promise.reject(new ApiError('busy', { retryAfterSeconds: 5 })) }
  const response = await upload(test, user, [...goodFields, ...threeFiles])
  expectRefusal(response, 'busy')
  expect(response.headers['retry-after']).toBe('5')
  await expectNothingKept(test, user.id)
})

it('a storage that takes longer than the lease, so that the sweep was there first, keeps nothing', async ({ user }) => {
  async function put(key: string, file: SpooledFile) {
    await realFiles.put(key, file)
    await db.updateTable('file_deletions').set({ delete_after: sql<Date>`now()` }).execute()
    await sweepFiles(db, realFiles, new AbortController().signal)
  }
  test.deps.files = { ...realFiles, put }
  expectRefusal(await upload(test, user, [...goodFields, file()]), 'unexpected')
  await expectNothingKept(test, user.id)
})
