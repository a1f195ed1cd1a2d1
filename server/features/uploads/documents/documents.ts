import type { Tx } from '../../../platform/db/pool.ts'

export type NewDocument = {
  fileKey: string
  bytes: number
  sha256: Buffer
  pageCount: number | null
  /** Pages that became pictures, counted from 1. */
  drawnPages: number[]
  /** Links and form values that held the author's name. */
  droppedLinks?: number
}

/** @returns their ids, in the order given. */
export async function insertDocuments(tx: Tx, documents: NewDocument[]): Promise<string[]> {
  const rows = await tx
    .insertInto('documents')
    .values(
      documents.map(({ fileKey, bytes, sha256, pageCount, drawnPages, droppedLinks = 0 }) => ({
        file_key: fileKey,
        bytes,
        sha256,
        page_count: pageCount,
        drawn_pages: drawnPages.length > 0 ? drawnPages : null,
        dropped_links: droppedLinks,
      })),
    )
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}
