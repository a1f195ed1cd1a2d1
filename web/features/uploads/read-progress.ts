import type { UploadItem } from './upload-queue.ts'

export type Progress = {
  bytes: number
  sent: number
  /** Nothing is on its way: what was sent is being checked. */
  isChecking: boolean
}

/** How far rows have come that are under way or shared. */
export function readProgress(rows: Pick<UploadItem, 'file' | 'sending'>[]): Progress {
  const bytes = rows.reduce((sum, { file }) => sum + file.size, 0)
  const sent = rows.reduce((sum, row) => sum + sentBytes(row), 0)
  const underWay = rows.flatMap(({ sending }) => (sending.kind === 'sending' ? [sending] : []))
  const isChecking = underWay.length > 0 && underWay.every(({ loaded, total }) => total > 0 && loaded >= total)
  return { bytes, sent, isChecking }
}

/** Of the file itself: the frame around it counts as part of it. */
function sentBytes({ file, sending }: Pick<UploadItem, 'file' | 'sending'>): number {
  if (sending.kind === 'shared') return file.size
  if (sending.kind !== 'sending' || sending.total === 0) return 0
  return Math.min(1, sending.loaded / sending.total) * file.size
}
