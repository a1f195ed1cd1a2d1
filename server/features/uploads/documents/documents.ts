import type { ThumbnailFile } from '../../../../packages/contract/documents.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { publishedNotes } from '../../notes/visible-notes.ts'

export type NewDocument = {
  fileKey: string
  bytes: number
  sha256: Buffer
  pageCount: number | null
  /** Pages that were replaced by images, counted from 1. */
  drawnPages: number[]
  /** The number of removed links and form values that contained the author's name. */
  droppedLinks?: number
}

/** @returns the document ids in the order of `documents`. */
export async function insertDocuments(tx: Tx, documents: NewDocument[]): Promise<string[]> {
  const rows = await tx
    .insertInto('documents')
    .values(
      documents.map(({ fileKey, bytes, sha256, pageCount, drawnPages, droppedLinks = 0 }) => ({
        file_key: fileKey,
        bytes,
        sha256,
        page_count: pageCount,
        rasterised_pages: drawnPages.length > 0 ? drawnPages : null,
        dropped_links: droppedLinks,
      })),
    )
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

export async function findThumbnailFile(db: Db, key: string, file: ThumbnailFile): Promise<string | null> {
  const column = file === 'small.webp' ? 'small_file_key' : 'large_file_key'
  const found = db
    .selectFrom('thumbnails as t')
    .innerJoin(publishedNotes.as('n'), 'n.document_id', 't.document_id')
    .select(`t.${column} as fileKey`)
    .where('t.key', '=', key)
  return (await found.executeTakeFirst())?.fileKey ?? null
}
