import { createHash } from 'node:crypto'
import { copyFile, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { openPool } from '../../platform/db/pool.ts'
import { isOwnSecret, requireOwnSecret } from '../../platform/db/secret.ts'
import { sweepFiles } from '../../platform/storage/file-deletions.ts'
import { newFileKey } from '../../platform/storage/storage.ts'
import { createNote, createUser, openTestApp, openTestAppOn } from '../../testing/app.ts'
import { makeTestFolder, onTestEnd, removeDataFolder } from '../../testing/data-folder.ts'
import { drainJobs } from '../../testing/drain-jobs.ts'
import { quietLog, recordOutput } from '../../testing/log.ts'
import { openRestoreTarget } from '../../testing/restore-target.ts'
import { expectNoOrphanedFilesAfterSweep } from '../../testing/storage-assertions.ts'
import { beforeGet, documentOf, putBytes } from '../../testing/stored-files.ts'
import { makeAnonymous, remove } from '../../testing/students.ts'
import { backup, recordBackup, restore, verifyBackup } from '../admin/archives.ts'
import { explainStartError } from '../start/explain-start-error.ts'
import { findFilePool } from './format.ts'

const test = await openTestApp()
const { deps } = test
const ada = await createUser(test)
const signal = new AbortController().signal
const { dataDir } = deps.config
const store = { databaseUrl: test.databaseUrl, db: deps.db, files: deps.files, log: quietLog }
const archivesOf = async (folder: string) => (await readdir(folder)).filter((name) => name.endsWith('.tar')).sort()
const keptOf = async (folder: string) => Array.fromAsync((await findFilePool(folder))?.list() ?? [])
const keysOf = (names: string[]) => names.map((name) => name.slice(0, 32)).sort()
const storedKeys = async () => (await Array.fromAsync(deps.files.list())).sort()

/** Makes a backup of the test's server. @returns its archive, the output, and the files that were read. */
async function keep(folder: string, given: { keep?: string; files?: typeof deps.files; signal?: AbortSignal } = {}) {
  const read: string[] = []
  const files = given.files ?? deps.files
  const get = (key: string) => {
    read.push(key)
    return files.get(key)
  }
  const { said, out } = recordOutput()
  const before = await archivesOf(folder)
  const options = { keep: given.keep, dataDir, signal: given.signal ?? signal }
  const isWell = await backup({ ...store, files: { ...files, get } }, folder, options, out)
  const [archive = ''] = (await archivesOf(folder)).filter((name) => !before.includes(name))
  return { isWell, archive: join(folder, archive), read, said: said.join('') }
}

/** Makes a backup of the test's server, whose output does not matter. */
const makeBackup = (target: string, { keep, files = deps.files }: { keep?: string; files?: typeof deps.files } = {}) =>
  backup({ ...store, files }, target, { keep, dataDir, signal }, recordOutput().out)

/** Restores an archive to an empty database and folder. */
async function bringBack(archive: string, secret = 'that of another machine') {
  const target = await openRestoreTarget()
  const { db } = openPool(target.databaseUrl, 2, quietLog)
  onTestEnd(() => db.destroy())
  const { said, out } = recordOutput()
  const isWell = await restore({ ...target, db, secret, log: quietLog }, archive, { replace: false, signal }, out)
  return { isWell, said: said.join(''), ...target }
}

async function verify(archive: string) {
  const { said, out } = recordOutput()
  const isWell = await verifyBackup(archive, signal, out)
  return { isWell, said: said.join('') }
}

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest()
const bytesOf = async (key: string) => buffer((await deps.files.get(key)) ?? Readable.from([]))

/** Returns the state of each of Ada's notes on a server with the restored data. */
async function viewNotes({ databaseUrl, dataDir }: { databaseUrl: string; dataDir: string }) {
  const server = await openTestAppOn({ databaseUrl, mails: [], whereFilesAre: { DATA_DIR: dataDir } })
  const get = (url: string) => server.app.inject({ url, headers: ada.auth })
  const { notes } = (await get('/api/users/me/notes')).json<{ notes: { _id: string }[] }>()
  const seen = await Promise.all(notes.map(async ({ _id }) => [_id, await get(`/api/notes/${_id}/view`)] as const))
  return new Map(seen.map(([id, answer]) => [id, answer.rawPayload]))
}

it('a folder of backups gets each file once, and each night is restored as it was, with what was deleted and replaced since', async () => {
  const folder = await makeTestFolder()
  const [stays, goes, hides] = [await createNote(test, ada), await createNote(test, ada), await createNote(test, ada)]
  const keyOf = async (note: string) => (await documentOf(test, note)).file_key
  const bytes = new Map<string, Buffer>()
  for (const note of [stays, goes, hides]) bytes.set(note, await bytesOf(await keyOf(note)))
  const first = await keep(folder)
  expect([first.isWell, first.read.length]).toEqual([true, 3])

  await remove(test, `/api/users/me/notes/${goes}`, ada.auth)
  await makeAnonymous(test, ada, hides)
  const comes = await createNote(test, ada)
  await drainJobs(test)
  expect((await documentOf(test, hides)).thumbnail_state).not.toBe('pending')
  await expectNoOrphanedFilesAfterSweep(test)
  const second = await keep(folder)
  const stayed = await keyOf(stays)
  expect(second.read.sort()).toEqual((await storedKeys()).filter((key) => key !== stayed))
  expect(second.read).toEqual(expect.arrayContaining([await keyOf(hides), await keyOf(comes)]))
  const inBoth = [...first.read, ...second.read].sort()
  expect(keysOf(await keptOf(folder))).toEqual(inBoth)
  for (const { archive } of [first, second]) expect(await verify(archive)).toMatchObject({ isWell: true })

  const before = await bringBack(first.archive)
  expect(before).toMatchObject({ isWell: true, said: expect.stringContaining('with 3 files') })
  expect(await viewNotes(before)).toEqual(bytes)
  const after = await viewNotes(await bringBack(second.archive))
  expect([...after.keys()].sort()).toEqual([stays, hides, comes].sort())
  expect(after.get(hides)).toEqual(await bytesOf(await keyOf(hides)))

  // An archive that an operator renamed is kept, and so are its files.
  await rename(first.archive, join(folder, 'before the exams.tar'))
  const third = await keep(folder, { keep: '1' })
  expect(third.read).toEqual([])
  expect(await archivesOf(folder)).toEqual(['before the exams.tar', third.archive.slice(folder.length + 1)])
  expect(keysOf(await keptOf(folder))).toEqual(inBoth)
  await rm(join(folder, 'before the exams.tar'))
  const last = await keep(folder, { keep: '1' })
  expect(await archivesOf(folder)).toEqual([last.archive.slice(folder.length + 1)])
  expect(keysOf(await keptOf(folder))).toEqual(await storedKeys())
  expect(await bringBack(last.archive)).toMatchObject({ isWell: true })
})

it('a folder of backups names the files that its disk has lost, restores the rest, and differs from a single archive', async () => {
  const folder = await makeTestFolder()
  for (let n = 0; n < 2; n++) await createNote(test, ada)
  const { archive } = await keep(folder)
  const [gone = '', rotten = ''] = await keptOf(folder)
  await rm(join(folder, 'kept', gone.slice(0, 2), gone))
  await writeFile(join(folder, 'kept', rotten.slice(0, 2), rotten), 'rotten')
  const faults = [`Missing files: ${gone.slice(0, 32)}`, rotten.slice(0, 32)]
  const [verified, restored] = [await verify(archive), await bringBack(archive)]
  for (const { isWell, said } of [verified, restored]) {
    expect(isWell).toBe(false)
    for (const text of faults) expect(said).toContain(text)
  }
  expect(await Array.fromAsync(restored.files.list())).toHaveLength((await storedKeys()).length - 1)
  const alone = join(await makeTestFolder(), 'copied.tar')
  await copyFile(archive, alone)
  for (const use of [verify, bringBack]) await expect(use(alone)).rejects.toThrow('in the folder "kept" beside it')
  await expect(verify(folder)).rejects.toThrow('is a folder. Specify one of its archives.')
})

it('a folder of backups has no archive of an interrupted one, and the next continues', async () => {
  const folder = await makeTestFolder()
  for (let n = 0; n < 2; n++) await createNote(test, ada)
  const stopping = new AbortController()
  const files = beforeGet(deps.files, async () => (await keptOf(folder)).length > 0 && stopping.abort())
  await expect(keep(folder, { files, signal: stopping.signal })).rejects.toThrow('abort')
  expect(await readdir(folder)).toEqual(['kept'])
  const kept = await keptOf(folder)
  expect(kept.length).toBeGreaterThan(0)
  await writeFile(join(folder, '.lectern-2026-11-22T03-00-00-000Z.tar.partial'), 'of one that was killed')
  const { isWell, read } = await keep(folder)
  expect(isWell).toBe(true)
  expect(read).not.toEqual(expect.arrayContaining(keysOf(kept)))
  expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual([])
})

it('a folder of backups accepts one backup at a time, and only if it exists', async () => {
  const folder = await makeTestFolder()
  await createNote(test, ada)
  let other: Promise<unknown> | undefined
  const files = beforeGet(deps.files, async () => {
    other ??= expect(keep(folder)).rejects.toThrow('Another backup')
    await other
  })
  expect(await keep(folder, { files })).toMatchObject({ isWell: true })
  expect(other).toBeDefined()
  await expect(makeBackup(`${folder}/not mounted/`)).rejects.toThrow('doesn’t exist')
  await expect(makeBackup(folder, { keep: '0' })).rejects.toThrow('--keep needs a number')
  await expect(makeBackup(join(folder, 'one.tar'), { keep: '3' })).rejects.toThrow('--keep needs a number')
  expect(await archivesOf(folder)).toHaveLength(1)
})

it('a folder of backups is refused inside of DATA_DIR, also by another name of it', async () => {
  const inside = join(dataDir, 'backups')
  const deeper = join(inside, 'of nights')
  const link = join(await makeTestFolder(), 'link')
  await mkdir(deeper, { recursive: true })
  await symlink(inside, link)
  for (const target of [dataDir, inside, deeper, link])
    await expect(makeBackup(target)).rejects.toThrow(`${target} is inside DATA_DIR`)
  expect(await readdir(inside, { recursive: true })).toEqual([basename(deeper)])
  const beside = `${dataDir}-backups`
  await mkdir(beside)
  onTestEnd(() => removeDataFolder(beside))
  expect(await keep(beside)).toMatchObject({ isWell: true })
})

it('a folder of backups never treats the newest one as older, whatever the clock showed before', async () => {
  const folder = await makeTestFolder()
  const [first, second] = [await keep(folder), await keep(folder)]
  const later = 'lectern-2130-01-01T00-00-00-000Z.tar'
  await copyFile(first.archive, join(folder, later))
  const { archive, said } = await keep(folder, { keep: '2' })
  expect(await archivesOf(folder)).toEqual([...[second.archive, archive].map((path) => basename(path)), later])
  expect(said).toContain(`Ignored backups dated in the future: ${later}`)
  await rm(join(folder, later))
  expect((await keep(folder, { keep: '1' })).said).not.toContain('dated in the future')
  expect(await archivesOf(folder)).toHaveLength(1)
})

it('a folder of backups writes again files of a wrong size, and those that were deleted because they were damaged', async () => {
  const folder = await makeTestFolder()
  const { id, file_key: key } = await documentOf(test, await createNote(test, ada))
  const [small, large, drawn] = [newFileKey(), newFileKey(), Buffer.from('drawn')]
  for (const picture of [small, large]) await putBytes(deps.files, picture, drawn)
  const hashes = { small_sha256: sha256Of(drawn), large_sha256: sha256Of(drawn) }
  const picture = { document_id: id, key: 'address', small_file_key: small, large_file_key: large, ...hashes }
  await deps.db.insertInto('thumbnails').values(picture).execute()
  const { archive } = await keep(folder)
  const kept = await keptOf(folder)
  const pathOf = (key: string) => join(folder, 'kept', key.slice(0, 2), kept.find((name) => name.startsWith(key)) ?? '')
  for (const one of [key, small]) {
    const bytes = await readFile(pathOf(one))
    for (const cut of [Buffer.alloc(0), bytes.subarray(0, -1)]) {
      await writeFile(pathOf(one), cut)
      expect((await keep(folder)).read).toEqual([one])
      expect(await readFile(pathOf(one))).toEqual(bytes)
    }
  }
  const path = pathOf(key)
  const bytes = await readFile(path)
  await writeFile(path, Buffer.alloc(bytes.length))
  const { isWell, said } = await verify(archive)
  expect(isWell).toBe(false)
  expect(said).toMatch(new RegExp(`Delete these corrupted files; .* again: 1\\n {4}${path}\\n`))
  expect(said).toContain(`is intact: all rows and ${(await storedKeys()).length - 1} files.`)
  expect(said).not.toContain('Backup of')
  await rm(path)
  expect((await keep(folder)).read).toEqual([key])
  expect(await verify(archive)).toMatchObject({ isWell: true, said: expect.stringContaining('is intact: all rows') })
})

it('a folder of backups is restored on a machine with another secret, and reports what is lost with it', async () => {
  const folder = await makeTestFolder()
  expect(await isOwnSecret(deps.db, deps.secret)).toBe(true)
  await expect(requireOwnSecret(deps.db, 'another')).rejects.toThrow(/^SECRET doesn’t match .*secret adopt/)
  const { archive } = await keep(folder)
  expect((await bringBack(archive, deps.secret)).said).not.toContain('SECRET')
  const { said, databaseUrl } = await bringBack(archive, 'another')
  expect(said).toMatch(/SECRET doesn’t match the one of the backup\. All users are logged out/)
  const { db } = openPool(databaseUrl, 1, quietLog)
  await requireOwnSecret(db, 'another')
  await db.destroy()
})

it('a folder of backups names the backup’s disk when it is full', async () => {
  const path = join(await makeTestFolder(), 'one.tar')
  const files = { ...store.files, get: () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })) }
  const tried = makeBackup(path, { files })
  await expect(tried.catch((error) => explainStartError(error, {}).text)).resolves.toContain(
    `No space left on the disk of ${path}`,
  )
  expect(await readdir(dirname(path))).toEqual([])
})

it('a folder of backups is refused while another one writes to the same file, and leaves that alone', async () => {
  const path = join(await makeTestFolder(), 'one.tar')
  const others: unknown[] = []
  const files = beforeGet(store.files, async () => {
    if (others.length === 0) others.push(await makeBackup(path).catch((error) => error.message))
  })
  expect(await makeBackup(path, { files })).toBe(true)
  expect(others).toEqual([expect.stringContaining(`Another backup to ${path} is running`)])
  expect(await verify(path)).toMatchObject({ isWell: true })
  expect(await readdir(dirname(path))).toEqual(['one.tar'])
})

it('a backup is recorded as failed when it fails, and not when it is mistyped, refused or interrupted', async () => {
  const folder = await makeTestFolder()
  const file = join(folder, 'one.tar')
  await createNote(test, ada)
  const record = (target: string, { keep = undefined as string | undefined, files = deps.files, stop = signal } = {}) =>
    recordBackup(deps.db, stop, () =>
      backup({ ...store, files }, target, { keep, dataDir, signal: stop }, recordOutput().out),
    )
  const findFailures = () => deps.db.selectFrom('backup_result').select('failure').where('failure', 'is not', null)
  async function expectNothing(refused: Promise<unknown>, reason?: string): Promise<void> {
    await expect(refused).rejects.toThrow(reason)
    expect(await findFailures().execute()).toEqual([])
  }
  for (const target of [file, folder]) {
    let second: Promise<void> | undefined
    const files = beforeGet(deps.files, async () => {
      second ??= expectNothing(record(target), 'Another backup')
      await second
    })
    expect(await record(target, { files })).toBe(true)
    expect(second).toBeDefined()
  }
  await expectNothing(record(file), 'already exists')
  await expectNothing(record(dataDir), 'is inside DATA_DIR')
  await expectNothing(record(folder, { keep: '0' }), '--keep needs a number')
  const stopping = new AbortController()
  const files = beforeGet(deps.files, async () => stopping.abort())
  await expectNothing(record(join(folder, 'two.tar'), { files, stop: stopping.signal }))
  const missing = join(folder, 'never', 'one.tar')
  const failure = `Can’t write ${missing} (ENOENT`
  await expect(record(missing)).rejects.toThrow(failure)
  expect(await findFailures().execute()).toEqual([{ failure: expect.stringContaining(failure) }])
})

it('a folder of backups keeps its older ones when the storage has lost something, or when one of them cannot be read', async () => {
  const folder = await makeTestFolder()
  const [lost, rotten] = [await createNote(test, ada), await createNote(test, ada)]
  const [lostKey, rottenKey] = [(await documentOf(test, lost)).file_key, (await documentOf(test, rotten)).file_key]
  await deps.files.delete(lostKey)
  await putBytes(deps.files, rottenKey, Buffer.from('%PDF-rotten'))
  const faulty = await keep(folder)
  expect(faulty.isWell).toBe(false)
  for (const key of [lostKey, rottenKey]) {
    expect(faulty.said).toContain(key)
    expect(keysOf(await keptOf(folder))).not.toContain(key)
  }
  expect(await keep(folder, { keep: '1' })).toMatchObject({ isWell: false })
  expect(await archivesOf(folder)).toHaveLength(2)
  const restored = await bringBack(faulty.archive)
  expect(restored.isWell).toBe(false)
  expect(restored.said).toContain(lostKey)
  await deps.db.deleteFrom('notes').where('id', 'in', [lost, rotten]).execute()
  await sweepFiles(deps.db, deps.files, signal)
  await writeFile(join(folder, 'holiday.tar'), 'no backup')
  await expect(keep(folder, { keep: '1' })).rejects.toThrow(/Older backups were kept, because .*holiday\.tar/)
  expect(await archivesOf(folder)).toHaveLength(4)
})

it('a verified backup is complete, in one archive or with its files beside it', async () => {
  const folder = await makeTestFolder()
  const whole = join(folder, 'whole.tar')
  await makeBackup(whole)
  const { archive } = await keep(folder)
  for (const path of [whole, archive]) {
    const files = `all rows and ${(await storedKeys()).length} files`
    expect(await verify(path)).toEqual({ isWell: true, said: expect.stringContaining(files) })
    const bytes = await readFile(path)
    const cut = join(folder, 'cut.tar')
    await writeFile(cut, bytes.subarray(0, bytes.length - 4_000))
    await expect(verify(cut)).rejects.toThrow('damaged or incomplete')
    // This position is in the rows, after the manifest and the lists.
    const rows = bytes.indexOf('database/users/')
    bytes.writeUInt8(bytes.readUInt8(rows + 530) ^ 0xff, rows + 530)
    await writeFile(cut, bytes)
    await expect(verify(cut)).rejects.toThrow('The backup is damaged: rows of users')
  }
})
