import { formatBytes } from '../notes/format-bytes.ts'
import { ProgressBar } from '../ui/ProgressBar.tsx'
import { readProgress } from './read-progress.ts'
import { isUnderWay, useTray } from './tray.ts'
import './tray-progress.css'

/** How far the whole tray has come. */
export function TrayProgress() {
  const rows = useTray((state) => state.rows).filter((row) => isUnderWay(row) || row.sending.kind === 'shared')
  const { bytes, sent, isChecking } = readProgress(rows)
  const isSent = sent >= bytes
  return (
    <div>
      <ProgressBar value={isSent ? null : sent / bytes} label="Upload" />
      <div className="tray-progress">
        <p role="status">{isSent || isChecking ? 'Checking…' : 'Sending your notes…'}</p>
        {!isSent && (
          <p>
            {formatBytes(sent)} of {formatBytes(bytes)}
          </p>
        )}
      </div>
    </div>
  )
}
