import type { ThumbnailFile } from '../../contract/documents.ts'
import type { Db } from '../db/pool.ts'

export async function findThumbnailFile(db: Db, key: string, file: ThumbnailFile): Promise<string | null> {
  const column = file === 'small.webp' ? 'small_file_key' : 'large_file_key'
  const found = db.selectFrom('thumbnails').select(`${column} as fileKey`).where('key', '=', key)
  return (await found.executeTakeFirst())?.fileKey ?? null
}
