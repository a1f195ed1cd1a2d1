import { constants } from 'node:fs'
import { access, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { syncFolder } from '../sync-folder.ts'
import type { FileStorage } from './storage.ts'

/**
 * Files below a folder: `ab/abcdef…`. A file is written to `incoming/`, synced, and renamed to its place, so that
 * a name in its place always means a whole file.
 */
export async function openDiskStorage(folder: string): Promise<FileStorage> {
  const incoming = join(folder, 'incoming')
  await mkdir(incoming, { recursive: true, mode: 0o700 })

  const placeOf = (key: string) => ({ shelf: join(folder, key.slice(0, 2)), file: join(folder, key.slice(0, 2), key) })

  return {
    async put(key, content) {
      const { shelf, file } = placeOf(key)
      const temporary = join(incoming, key)
      try {
        // `flush` syncs the content before the stream finishes.
        const handle = await open(temporary, 'wx', 0o600)
        await pipeline(content, handle.createWriteStream({ flush: true }))
        const made = await mkdir(shelf, { recursive: true, mode: 0o700 })
        await rename(temporary, file)
        await syncFolder(shelf)
        if (made) await syncFolder(folder)
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
    },

    async get(key, range) {
      try {
        const handle = await open(placeOf(key).file, 'r')
        return handle.createReadStream({ ...range })
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },

    async delete(key) {
      await rm(join(incoming, key), { force: true })
      await rm(placeOf(key).file, { force: true })
    },

    async check() {
      await access(incoming, constants.R_OK | constants.W_OK)
    },
  }
}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'
