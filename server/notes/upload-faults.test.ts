import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Failure } from '../failure.ts'
import type { FileStorage } from '../files/storage.ts'
import { openTestApp } from '../test/app.ts'
import { createUser } from '../test/factories.ts'
import { field, file, goodFields, upload } from '../test/form.ts'
import { pdfOfBytes, pdfSaying } from '../test/pdf-kinds.ts'
import { expectRefusal } from '../test/refusal.ts'
import { countNotes, expectNothingKept, expectTidy, expectTidyAfterSweep, listStored } from '../test/tidy.ts'

const test = await openTestApp()
const { db, files: realFiles, pdf: realPdf } = test.deps
const threeFiles = [file(pdfSaying('one')), file(pdfOfBytes(300_000)), file(pdfSaying('three'))]

afterEach(() => {
  test.deps.files = realFiles
  test.deps.pdf = realPdf
})

const diskError = (code: string) => Object.assign(new Error(`${code}: as the disk says it`), { code })

/** Lets the first `sound` calls of `put` through. */
function failPutAfter(sound: number, fail: (storage: FileStorage, key: string, content: Readable) => Promise<void>) {
  let calls = 0
  test.deps.files = {
    ...realFiles,
    put: (key, content) => (calls++ < sound ? realFiles.put(key, content) : fail(realFiles, key, content)),
  }
}

describe('a storage that fails', () => {
  it.each([
    ['ENOSPC', 0, false],
    ['ENOSPC', 1, false],
    ['ENOSPC', 2, false],
    ['EROFS', 1, false],
    ['EIO', 2, true],
    ['ENOSPC', 3, true],
    ['ENOSPC', 5, true],
  ])('with %s before it has read anything of file %i keeps nothing', async (code, sound, anonymous) => {
    const user = await createUser(test)
    failPutAfter(sound, () => Promise.reject(diskError(code)))
    const parts = [...goodFields, field('isAnonymous', String(anonymous)), ...threeFiles]
    expectRefusal(await upload(test, user, parts), 'unavailable')
    test.deps.files = realFiles
    await expectNothingKept(test, user.id)
    expect((await upload(test, user, parts)).statusCode).toBe(201)
    await expectTidy(test)
  })

  it('in the middle of a file keeps nothing', async () => {
    const user = await createUser(test)
    failPutAfter(1, (storage, key, content) => storage.put(key, Readable.from(runOutOfSpace(content))))
    async function* runOutOfSpace(content: Readable) {
      let bytes = 0
      for await (const chunk of content) {
        yield chunk
        bytes += chunk.length
        if (bytes > 100_000) throw diskError('ENOSPC')
      }
    }
    expectRefusal(await upload(test, user, [...goodFields, ...threeFiles]), 'unavailable')
    await expectNothingKept(test, user.id)
  })

  it('to write what it has read keeps nothing', async () => {
    const user = await createUser(test)
    failPutAfter(1, (_storage, _key, content) => {
      let bytes = 0
      const full = new Writable({
        write(chunk, _encoding, done) {
          bytes += chunk.length
          done(bytes > 100_000 ? diskError('ENOSPC') : null)
        },
      })
      return pipeline(content, full)
    })
    expectRefusal(await upload(test, user, [...goodFields, ...threeFiles]), 'unavailable')
    await expectNothingKept(test, user.id)
  })

  it('for a reason nobody knows answers 500', async () => {
    const user = await createUser(test)
    failPutAfter(1, () => Promise.reject(new Error('What?')))
    expectRefusal(await upload(test, user, [...goodFields, ...threeFiles]), 'unexpected')
    await expectNothingKept(test, user.id)
  })

  it('to delete does not change the answer, and the sweep deletes later', async () => {
    const user = await createUser(test)
    const before = (await listStored(test)).files.length
    test.deps.files = { ...realFiles, delete: () => Promise.reject(diskError('EIO')) }
    const parts = [...goodFields, file(pdfSaying('one')), file(Buffer.from('no PDF'), 'bad.pdf')]
    expectRefusal(
      await upload(test, user, parts),
      'upload_not_pdf',
      'Only PDF files can be uploaded. "bad" is not a PDF that can be read.',
    )
    expect((await listStored(test)).files).toHaveLength(before + 2)
    test.deps.files = realFiles
    await expectTidyAfterSweep(test)
    expect(await countNotes(test, user.id)).toBe(0)
  })
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

  it.each([
    ['inserting', 'doomed_insert', 'unexpected'],
    ['committing', 'doomed_commit', 'unexpected'],
    ['inserting, by losing the connection', 'dying_insert', 'unavailable'],
    ['committing, by losing the connection', 'dying_commit', 'unavailable'],
  ] as const)('when %s keeps nothing', async (_when, title, code) => {
    const user = await createUser(test)
    expectRefusal(await upload(test, user, [...goodFields, ...threeFiles, file(undefined, `${title}.pdf`)]), code)
    expect(await countNotes(test, user.id)).toBe(0)
    // Whether a lost transaction was committed is known to the database alone: the files wait for the sweep.
    await expectTidyAfterSweep(test)
  })
})

describe('the check of the files', () => {
  it('being busy keeps nothing', async () => {
    const user = await createUser(test)
    test.deps.pdf = { ...realPdf, inspect: () => Promise.reject(new Failure('busy', { retryAfterSeconds: 5 })) }
    const response = await upload(test, user, [...goodFields, ...threeFiles])
    expectRefusal(response, 'busy')
    expect(response.headers['retry-after']).toBe('5')
    await expectNothingKept(test, user.id)
  })

  it('taking longer than the lease, so that the sweep was there first, keeps nothing', async () => {
    const user = await createUser(test)
    test.deps.pdf = {
      ...realPdf,
      async inspect(bytes) {
        await db.updateTable('file_removals').set({ due_at: sql<Date>`now()` }).execute()
        await expectTidyAfterSweep(test)
        return realPdf.inspect(bytes)
      },
    }
    expectRefusal(await upload(test, user, [...goodFields, file()]), 'unexpected')
    await expectNothingKept(test, user.id)
  })
})
