import { useEffect, useRef } from 'react'
import * as paths from '../../platform/paths.ts'
import { Button, ButtonLink } from '../../platform/ui/Button.tsx'
import { Grid, Text } from '../../platform/ui/layout.tsx'
import { ProgressBar } from '../../platform/ui/ProgressBar.tsx'
import { formatBytes } from '../notes/format.ts'
import { readProgress } from './read-progress.ts'
import { cancelAll } from './upload-items.ts'
import { isInProgress, isUnrecoverable, isUnsent, type UploadItem, useUploadQueue } from './upload-queue.ts'

export function UploadActions() {
  const rows = useUploadQueue((state) => state.rows)
  const isSending = rows.some(isInProgress)
  const cancel = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // The pressed button has disappeared, so the focus moves to the button in its place.
    if (isSending && document.activeElement === document.body) cancel.current?.focus()
  }, [isSending])
  return (
    <Grid gap={0.75} top={1.25}>
      {content()}
    </Grid>
  )

  function content() {
    if (isSending) {
      return (
        <>
          <UploadProgress />
          <Button ref={cancel} onClick={cancelAll}>
            Cancel upload
          </Button>
        </>
      )
    }
    const unsent = rows.filter((row) => isUnsent(row) && !isUnrecoverable(row))
    const isDone = unsent.length === 0 && rows.length > 0
    const hasShared = rows.some((row) => !isUnsent(row))
    return (
      <>
        {!(isDone && hasShared) && <Button type="submit">{submitLabel(unsent)}</Button>}
        {hasShared && (
          <ButtonLink to={paths.myNotes()} variant={isDone ? 'primary' : 'secondary'}>
            Go to My Notes
          </ButtonLink>
        )}
      </>
    )
  }
}

function submitLabel(unsent: UploadItem[]): string {
  if (unsent.length > 0 && unsent.every(({ sending }) => sending.kind !== 'ready')) return 'Try again'
  return unsent.length > 1 ? `Upload ${unsent.length} notes` : 'Upload'
}

function UploadProgress() {
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
