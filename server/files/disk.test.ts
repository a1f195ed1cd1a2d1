import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, expect, it } from 'vitest'
import { openDiskStorage } from './disk.ts'
import { newFileKey } from './file-key.ts'
import { describeStorage } from './storage-behaviour.ts'

const folder = await mkdtemp(join(tmpdir(), 'lectern files '))
afterAll(() => rm(folder, { recursive: true }))

describeStorage('disk', () => openDiskStorage(folder))

it('leaves no temporary file when the stream fails', async () => {
  const storage = await openDiskStorage(folder)
  const failing = new Readable({ read: () => failing.destroy(new Error('gone')) })
  await expect(storage.put(newFileKey(), failing)).rejects.toThrow('gone')
  expect(await readdir(join(folder, 'incoming'))).toEqual([])
})

it('deletes what an interrupted put left behind', async () => {
  const storage = await openDiskStorage(folder)
  const key = newFileKey()
  await writeFile(join(folder, 'incoming', key), 'half')
  await storage.delete(key)
  expect(await readdir(join(folder, 'incoming'))).toEqual([])
})
