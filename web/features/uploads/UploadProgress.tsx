import { Text } from '../../platform/ui/layout.tsx'
import { ProgressBar } from '../../platform/ui/ProgressBar.tsx'
import { formatBytes } from '../notes/format-bytes.ts'
import { readProgress } from './read-progress.ts'
import { isInProgress, useUploadQueue } from './upload-queue.ts'

export function UploadProgress() {
  const rows = useUploadQueue((state) => state.rows).filter((row) => isInProgress(row) || row.sending.kind === 'shared')
  const { bytes, sent, isChecking } = readProgress(rows)
  const isSent = sent >= bytes
  return (
    <div>
      <ProgressBar value={isSent ? null : sent / bytes} label="Upload" />
      <Text as="div" tone="soft" size="small" top={0.5} isCount>
        <p role="status">{isSent || isChecking ? 'Checking…' : 'Uploading your notes…'}</p>
        {!isSent && (
          <p>
            {formatBytes(sent)} of {formatBytes(bytes)}
          </p>
        )}
      </Text>
    </div>
  )
}
