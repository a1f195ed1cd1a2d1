import { formatMoment } from '../notes/format.ts'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { FileNotice } from './FileNotice.tsx'
import { NameNotice } from './names/NameNotice.tsx'
import { findTwin, isSharedBefore } from './questions.ts'
import { isAnonymous, type Row, tray, useTray } from './tray.ts'

type RowNoticesProps = { row: Row; onShare: (id: string) => void; onRemove: () => void }

/** What was found in a file before it is sent, and the choices that come of it. */
export function RowNotices({ row, onShare, onRemove }: RowNoticesProps) {
  const { id, file, findings, accepted, sending } = row
  const { rows, details } = useTray((state) => state)
  const isHidden = isAnonymous(row, details)
  const twin = findTwin(row, rows)

  function decide(decision: Partial<Pick<Row, 'accepted' | 'ownDetails'>>) {
    tray.change(id, { ...decision, sending: { kind: 'ready' } })
    // What was asked for when the question came up goes on.
    if (sending.kind === 'held') onShare(id)
  }

  const shareByName = () => decide({ ownDetails: { ...row.ownDetails, isAnonymous: false } })

  return (
    <>
      {findings.isLocked && (
        <FileNotice
          icon={<Icon name="lock" />}
          isOpen
          choices={
            <Button variant="secondary" size="small" onClick={onRemove}>
              Remove<span className="visually-hidden"> this file ({file.name})</span>
            </Button>
          }
        >
          It opens with a password only, so nobody could read it. Save it without the password and choose that file.
        </FileNotice>
      )}
      {twin && <FileNotice icon={<Icon name="files" />}>The same file as “{twin.file.name}”.</FileNotice>}
      {findings.sameFile && isSharedBefore(row) && (
        <FileNotice
          icon={<Icon name="file-search" />}
          isOpen={!accepted.sameFile}
          choices={
            !accepted.sameFile && (
              <>
                <Button
                  variant="secondary"
                  size="small"
                  onClick={() => decide({ accepted: { ...accepted, sameFile: true } })}
                >
                  Share anyway<span className="visually-hidden"> ({file.name})</span>
                </Button>
                <Button variant="ghost" size="small" onClick={onRemove}>
                  Remove<span className="visually-hidden"> this file ({file.name})</span>
                </Button>
              </>
            )
          }
        >
          You shared this on {formatMoment(findings.sameFile.createdAt)}, as “{findings.sameFile.title}”.
        </FileNotice>
      )}
      {isHidden && !findings.isLocked && (
        <NameNotice
          row={row}
          onShareAnyway={() => decide({ accepted: { ...accepted, names: true } })}
          onShareByName={shareByName}
          onRemove={onRemove}
        />
      )}
    </>
  )
}
