import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeTestFolder } from '../../testing/data-folder.ts'
import { describeStorage } from '../../testing/storage-behaviour.ts'
import { makeLocalFile } from '../../testing/stored-files.ts'
import { openDiskStorage } from './disk.ts'
import { newFileKey } from './storage.ts'

const folder = await makeTestFolder()

describeStorage('disk', () => openDiskStorage(folder))

it('moves a file, and copies nothing', async () => {
  const storage = await openDiskStorage(folder)
  const file = await makeLocalFile(Buffer.from('content'), folder)
  const { ino } = await stat(file.path)
  const key = newFileKey()
  await storage.put(key, file)
  expect((await stat(join(folder, key.slice(0, 2), key))).ino).toBe(ino)
})

it.runIf(existsSync('/dev/shm'))('takes a file of another disk', async () => {
  const storage = await openDiskStorage(folder)
  const elsewhere = await mkdtemp('/dev/shm/lectern files ')
  try {
    const key = newFileKey()
    await storage.put(key, await makeLocalFile(Buffer.from('content'), elsewhere))
    expect(await readFile(join(folder, key.slice(0, 2), key), 'utf8')).toBe('content')
    expect(await readdir(join(folder, 'incoming'))).toEqual([])
  } finally {
    await rm(elsewhere, { recursive: true })
  }
})

it('deletes what an interrupted put left behind', async () => {
  const storage = await openDiskStorage(folder)
  const key = newFileKey()
  await writeFile(join(folder, 'incoming', key), 'half')
  await storage.delete(key)
  expect(await readdir(join(folder, 'incoming'))).toEqual([])
})
