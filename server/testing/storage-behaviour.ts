import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { type FileStorage, newFileKey } from '../platform/storage/storage.ts'
import { makeLocalFile, putBytes } from './stored-files.ts'

/** The tests for every storage driver. A driver's test file calls this with a function that opens a storage. */
export function describeStorage(name: string, open: () => Promise<FileStorage>): void {
  const content = Buffer.from(Array.from({ length: 100_000 }, (_, i) => i % 251))
  const read = async (storage: FileStorage, key: string, range?: { start: number; end: number }) => {
    const stream = await storage.get(key, range)
    return stream && buffer(stream)
  }

  describe(`${name} storage`, () => {
    async function openWithFile() {
      const [storage, key] = [await open(), newFileKey()]
      await putBytes(storage, key, content)
      return { storage, key }
    }

    it('gives back what was put, whole or a range with both ends included', async () => {
      const { storage, key } = await openWithFile()
      expect(await read(storage, key)).toEqual(content)
      expect(await read(storage, key, { start: 10, end: 12 })).toEqual(content.subarray(10, 13))
      expect(await read(storage, key, { start: 99_999, end: 99_999 })).toEqual(content.subarray(99_999))
    })

    it('copies to the local disk, over nothing', async () => {
      const { storage, key } = await openWithFile()
      const path = `${(await makeLocalFile(content)).path}-copy`
      expect(await storage.downloadTo(key, path)).toBe(true)
      expect(await readFile(path)).toEqual(content)
      await writeFile(path, 'what is there')
      await expect(storage.downloadTo(key, path)).rejects.toMatchObject({ code: 'EEXIST' })
      expect(await readFile(path, 'utf8')).toBe('what is there')
      expect(await read(storage, key)).toEqual(content)
    })

    it('tells a file that is missing from a folder that is, when it copies', async () => {
      const { storage, key } = await openWithFile()
      const { path } = await makeLocalFile(content)
      expect(await storage.downloadTo(newFileKey(), `${path}-copy`)).toBe(false)
      await expect(stat(`${path}-copy`)).rejects.toMatchObject({ code: 'ENOENT' })
      await expect(storage.downloadTo(key, `${path}-folder/copy`)).rejects.toMatchObject({ code: 'ENOENT' })
    })

    it('leaves nothing when there is nothing to take', async () => {
      const [storage, key] = [await open(), newFileKey()]
      const file = await makeLocalFile(content)
      await rm(file.path)
      await expect(storage.put(key, file)).rejects.toThrow('ENOENT')
      expect(await storage.get(key)).toBeNull()
    })

    it('deletes, and deleting again is no error', async () => {
      const { storage, key } = await openWithFile()
      await storage.delete(key)
      await storage.delete(key)
      expect(await storage.get(key)).toBeNull()
    })

    it('finishes a read that began before the file was deleted', async () => {
      const { storage, key } = await openWithFile()
      const stream = await storage.get(key)
      await storage.delete(key)
      expect(stream && (await buffer(stream))).toEqual(content)
    })

    it('knows the size of what it has, and lists that', async () => {
      const { storage, key } = await openWithFile()
      const gone = newFileKey()
      await putBytes(storage, gone, content)
      await storage.delete(gone)
      expect(await storage.getSize(key)).toBe(content.length)
      expect(await storage.getSize(gone)).toBeNull()
      const listed = await Array.fromAsync(storage.list())
      expect(listed).toContain(key)
      expect(listed).not.toContain(gone)
    })
  })
}
