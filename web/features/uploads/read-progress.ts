import type { UploadItem } from './upload-queue.ts'

export type Progress = {
  bytes: number
  sent: number
  /** All sent bytes have arrived, and the server is checking them. */
  isChecking: boolean
}

export function readProgress(rows: Pick<UploadItem, 'file' | 'sending'>[]): Progress {
  const bytes = rows.reduce((sum, { file }) => sum + file.size, 0)
  const sent = rows.reduce((sum, row) => sum + sentBytes(row), 0)
  const underWay = rows.flatMap(({ sending }) => (sending.kind === 'sending' ? [sending] : []))
  const isChecking = underWay.length > 0 && underWay.every(({ loaded, total }) => total > 0 && loaded >= total)
  return { bytes, sent, isChecking }
}

/** Scales to the size of the file, because `loaded` and `total` include the multipart overhead. */
function sentBytes({ file, sending }: Pick<UploadItem, 'file' | 'sending'>): number {
  if (sending.kind === 'shared') return file.size
  if (sending.kind !== 'sending' || sending.total === 0) return 0
  return Math.min(1, sending.loaded / sending.total) * file.size
}
