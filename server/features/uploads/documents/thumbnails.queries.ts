import type { ThumbnailFile } from '../../../../packages/contract/documents.ts'
import type { Db } from '../../../platform/db/pool.ts'
import { publishedNotes } from '../../notes/visible-notes.ts'

export async function findThumbnailFile(db: Db, key: string, file: ThumbnailFile): Promise<string | null> {
  const column = file === 'small.webp' ? 'small_file_key' : 'large_file_key'
  const found = db
    .selectFrom('thumbnails as t')
    .innerJoin(publishedNotes.as('n'), 'n.document_id', 't.document_id')
    .select(`t.${column} as fileKey`)
    .where('t.key', '=', key)
  return (await found.executeTakeFirst())?.fileKey ?? null
}
