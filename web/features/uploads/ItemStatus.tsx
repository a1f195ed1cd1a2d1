import { Link } from 'react-router'
import type { Note } from '../../../packages/contract/notes.ts'
import * as paths from '../../platform/paths.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { Icon } from '../../platform/ui/Icon.tsx'
import { ProgressBar } from '../../platform/ui/ProgressBar.tsx'
import { describeDrawnPages } from '../notes/describe-drawn-pages.ts'
import { formatBytes } from '../notes/format-bytes.ts'
import { cancelRow } from './upload-items.ts'
import { isUnrecoverable, type UploadItem } from './upload-queue.ts'
import './item-status.css'
import { Grid, Row as Line, Text } from '../../platform/ui/layout.tsx'

export function ItemStatus({ row, onShare }: { row: UploadItem; onShare: (id: string) => void }) {
  const { id, file, sending } = row
  switch (sending.kind) {
    case 'waiting':
    case 'sending':
      return (
        <Grid columns="minmax(0, 1fr) auto" gap={0.5} align="center">
          <RowProgress row={row} />
          <Button variant="ghost" size="small" onClick={() => cancelRow(id)}>
            Cancel<span className="visually-hidden"> {file.name}</span>
          </Button>
        </Grid>
      )
    case 'shared':
      return <Shared note={sending.note} />
    case 'failed':
      return (
        <Line gap={0.5} size="medium" className="row-outcome-failed">
          <Icon name="circle-exclamation-point" />
          <p>{sending.reason}</p>
          {!isUnrecoverable(row) && (
            <Button variant="secondary" size="small" onClick={() => onShare(id)}>
              Try again<span className="visually-hidden"> with {file.name}</span>
            </Button>
          )}
        </Line>
      )
    case 'cancelled':
      return <Text size="medium">Cancelled</Text>
    default:
      return null
  }
}

function Shared({ note }: { note: Note }) {
  const drawn = describeDrawnPages(note.document)
  return (
    <>
      <Line as="p" gap={0.5} tone="success" size="medium" isStrong>
        <Icon name="check" />
        <Link to={paths.note(note._id)} className="row-outcome-note">
          Uploaded<span className="visually-hidden"> {note.title}</span>
        </Link>
      </Line>
      {drawn && <Text size="medium">{drawn}.</Text>}
    </>
  )
}

function RowProgress({ row: { file, sending } }: { row: UploadItem }) {
  const { loaded, total } = sending.kind === 'sending' ? sending : { loaded: 0, total: 0 }
  const part = total === 0 ? 0 : Math.min(1, loaded / total)
  const isSent = total > 0 && loaded >= total
  return (
    <div>
      <ProgressBar value={isSent ? null : part} label={`Upload of ${file.name}`} />
      <Text tone="soft" size="small" top={0.25} isCount>
        {sending.kind === 'waiting' && (sending.why ?? 'Waiting…')}
        {sending.kind === 'sending' &&
          (isSent ? 'Checking the file…' : `Uploading: ${formatBytes(part * file.size)} of ${formatBytes(file.size)}`)}
      </Text>
    </div>
  )
}
