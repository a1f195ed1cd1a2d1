import { formatBytes } from '../notes/format-bytes.ts'
import { ProgressBar } from '../ui/ProgressBar.tsx'
import { isUnderWay, type Row, useTray } from './tray.ts'
import './tray-progress.css'

/** How far the whole tray has come. */
export function TrayProgress() {
  const rows = useTray((state) => state.rows).filter((row) => isUnderWay(row) || row.sending.kind === 'shared')
  const bytes = rows.reduce((sum, { file }) => sum + file.size, 0)
  const sent = rows.reduce((sum, row) => sum + sentBytes(row), 0)
  const isSent = sent >= bytes
  return (
    <div>
      <ProgressBar value={isSent ? null : sent / bytes} label="Upload" />
      <div className="tray-progress">
        <p role="status">{isSent ? 'Everything is sent. Your PDFs are being checked…' : 'Sending your notes…'}</p>
        {!isSent && (
          <p>
            {formatBytes(sent)} of {formatBytes(bytes)}
          </p>
        )}
      </div>
    </div>
  )
}

/** Of the file itself: the frame around it counts as part of it. */
function sentBytes({ file, sending }: Row): number {
  if (sending.kind === 'shared') return file.size
  if (sending.kind !== 'sending' || sending.total === 0) return 0
  return Math.min(1, sending.loaded / sending.total) * file.size
}
