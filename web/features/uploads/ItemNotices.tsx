import { Button } from '../../platform/ui/Button.tsx'
import { Icon } from '../../platform/ui/Icon.tsx'
import { formatMoment } from '../notes/format.ts'
import { FileNotice } from './FileNotice.tsx'
import { listSome } from './format-list.ts'
import { NameNotice } from './name-check/NameNotice.tsx'
import { findDuplicate, isAlreadyUploaded } from './needs-attention.ts'
import { isAnonymous, tray, type UploadItem, useUploadQueue } from './upload-queue.ts'

type ItemNoticesProps = { row: UploadItem; onShare: (id: string) => void; onRemove: () => void }

/** Shows the findings about a file before it is sent, with the user's choices. */
export function ItemNotices({ row, onShare, onRemove }: ItemNoticesProps) {
  const { id, file, findings, accepted, sending } = row
  const { rows, details } = useUploadQueue((state) => state)
  const isHidden = isAnonymous(row, details)
  const twin = findDuplicate(row, rows)

  function decide(decision: Partial<Pick<UploadItem, 'accepted' | 'ownDetails' | 'removesHiddenName'>>) {
    tray.change(id, { ...decision, sending: { kind: 'ready' } })
    // The answer resumes an upload that was stopped by the question.
    if (sending.kind === 'held') onShare(id)
  }

  const shareByName = () => decide({ ownDetails: { ...row.ownDetails, isAnonymous: false } })

  return (
    <>
      {findings.unreadable && sending.kind !== 'failed' && (
        <FileNotice
          icon={<Icon name={findings.unreadable === 'locked' ? 'lock' : 'circle-exclamation-point'} />}
          isOpen
          choices={
            <Button variant="secondary" size="small" onClick={onRemove}>
              Remove<span className="visually-hidden"> this file ({file.name})</span>
            </Button>
          }
        >
          {findings.unreadable === 'locked'
            ? 'This file is password-protected. Remove the password and add it again.'
            : 'This file is damaged or isn’t a PDF. Save or export it again and add the new file.'}
        </FileNotice>
      )}
      {findings.damagedPages.length > 0 && (
        <FileNotice
          icon={<Icon name="circle-exclamation-point" />}
          isOpen={!accepted.damage}
          choices={
            !accepted.damage && (
              <>
                <Button
                  variant="secondary"
                  size="small"
                  onClick={() => decide({ accepted: { ...accepted, damage: true } })}
                >
                  Upload anyway<span className="visually-hidden"> ({file.name})</span>
                </Button>
                <Button variant="ghost" size="small" onClick={onRemove}>
                  Remove<span className="visually-hidden"> this file ({file.name})</span>
                </Button>
              </>
            )
          }
        >
          This file is damaged: {findings.damagedPages.length === 1 ? 'page' : 'pages'}{' '}
          {listSome(findings.damagedPages.map(String))} can’t be shown.
        </FileNotice>
      )}
      {twin && <FileNotice icon={<Icon name="files" />}>Duplicate of “{twin.file.name}”.</FileNotice>}
      {findings.sameFile && isAlreadyUploaded(row) && (
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
                  Upload anyway<span className="visually-hidden"> ({file.name})</span>
                </Button>
                <Button variant="ghost" size="small" onClick={onRemove}>
                  Remove<span className="visually-hidden"> this file ({file.name})</span>
                </Button>
              </>
            )
          }
        >
          You already uploaded this on {formatMoment(findings.sameFile.createdAt)} as “{findings.sameFile.title}”.
        </FileNotice>
      )}
      {isHidden && findings.unreadable === null && (
        <NameNotice
          row={row}
          onShareAnyway={() => decide({ accepted: { ...accepted, names: true } })}
          onShareByName={shareByName}
          onRemoveHidden={() => decide({ removesHiddenName: true })}
          onRemove={onRemove}
        />
      )}
    </>
  )
}
