import { Link } from 'react-router'
import type { Note } from '../../contract/notes.ts'
import { describeDrawnPages } from '../notes/describe-drawn-pages.ts'
import { formatBytes } from '../notes/format-bytes.ts'
import * as paths from '../paths.ts'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { ProgressBar } from '../ui/ProgressBar.tsx'
import { cancelRow } from './share-rows.ts'
import { isHopeless, type Row } from './tray.ts'
import './row-outcome.css'

/** How the sending of a file goes, or how it ended. */
export function RowOutcome({ row, onShare }: { row: Row; onShare: (id: string) => void }) {
  const { id, file, sending } = row
  switch (sending.kind) {
    case 'waiting':
    case 'sending':
      return (
        <div className="row-outcome-progress">
          <RowProgress row={row} />
          <Button variant="ghost" size="small" onClick={() => cancelRow(id)}>
            Cancel<span className="visually-hidden"> {file.name}</span>
          </Button>
        </div>
      )
    case 'shared':
      return <Shared note={sending.note} />
    case 'failed':
      return (
        <div className="row-outcome row-outcome-failed">
          <Icon name="circle-exclamation-point" />
          <p>{sending.reason}</p>
          {!isHopeless(row) && (
            <Button variant="secondary" size="small" onClick={() => onShare(id)}>
              Try again<span className="visually-hidden"> with {file.name}</span>
            </Button>
          )}
        </div>
      )
    case 'cancelled':
      return <p className="row-outcome">Cancelled: not shared.</p>
    default:
      return null
  }
}

function Shared({ note }: { note: Note }) {
  const drawn = describeDrawnPages(note.document)
  return (
    <>
      <p className="row-outcome row-outcome-shared">
        <Icon name="check" />
        <Link to={paths.note(note._id)} className="row-outcome-note">
          Shared<span className="visually-hidden"> {note.title}</span>
        </Link>
      </p>
      {drawn && <p className="row-outcome">{drawn}.</p>}
    </>
  )
}

function RowProgress({ row: { file, sending } }: { row: Row }) {
  const { loaded, total } = sending.kind === 'sending' ? sending : { loaded: 0, total: 0 }
  const part = total === 0 ? 0 : Math.min(1, loaded / total)
  const isSent = total > 0 && loaded >= total
  return (
    <div className="row-outcome-bar">
      <ProgressBar value={isSent ? null : part} label={`Upload of ${file.name}`} />
      <p>
        {sending.kind === 'waiting' && (sending.why ?? 'Waiting for its turn')}
        {sending.kind === 'sending' &&
          (isSent ? 'Checking…' : `${formatBytes(part * file.size)} of ${formatBytes(file.size)}`)}
      </p>
    </div>
  )
}
