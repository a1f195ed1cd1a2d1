import type { KeyboardEvent } from 'react'
import { Link } from 'react-router'
import type { Note } from '../../../packages/contract/notes.ts'
import * as paths from '../../platform/paths.ts'
import { useSession } from '../../platform/session/store.ts'
import { IconButton } from '../../platform/ui/Button.tsx'
import { Checkbox, TextField } from '../../platform/ui/fields.tsx'
import { Icon } from '../../platform/ui/Icon.tsx'
import { ProgressBar } from '../../platform/ui/Loading.tsx'
import { Grid, Row as Line, Stack, Text } from '../../platform/ui/layout.tsx'
import { DetailField } from '../notes/DetailFields.tsx'
import { describeDrawnPages } from '../notes/describe-document.ts'
import { formatBytes } from '../notes/format.ts'
import { detailNames, properties } from '../notes/properties.ts'
import { FileButton, ItemNotices } from './ItemNotices.tsx'
import { mentionsAuthor } from './name-check/find-name.ts'
import { cancelRow } from './upload-items.ts'
import {
  isAnonymous,
  isInProgress,
  isUnrecoverable,
  isUnsent,
  type UploadDetails,
  type UploadItem,
  uploadQueue,
  useUploadQueue,
} from './upload-queue.ts'
import './upload-item-row.css'

export function UploadItemRow({ row, onShare }: { row: UploadItem; onShare: (id: string) => void }) {
  const { id, file, title, findings, errors } = row
  const isFixed = isInProgress(row) || !isUnsent(row)
  const remove = () => uploadQueue.remove((other) => other.id === id)
  return (
    // Enter confirms the field of one file; it must not submit the whole queue.
    <li className="sheet upload-item-row" onKeyDown={(event) => isEnterInField(event) && event.preventDefault()}>
      <ItemThumbnail thumbnail={findings.thumbnail} />
      <Stack gap={0.5}>
        <Line as="p" tone="faint" size="small" justify="space-between" align="stretch" gap={[0, 0.75]}>
          <Text as="span" isCut maxWidth="100%" title={file.name} dir="auto">
            {file.name}
          </Text>
          <Text as="span" isCount>
            {factsOf(row)}
          </Text>
        </Line>
        {isUnsent(row) ? (
          <TextField
            label={`Title of ${file.name}`}
            className="field-unlabelled upload-item-row-title"
            dir="auto"
            autoComplete="off"
            disabled={isFixed}
            value={title}
            error={errors.title}
            onChange={(event) =>
              uploadQueue.change(id, { title: event.target.value, errors: { ...errors, title: undefined } })
            }
          />
        ) : (
          <Text size="large" isSerif dir="auto">
            {title}
          </Text>
        )}
        {!isFixed && <SuggestedTitle row={row} />}
      </Stack>
      <Stack gap={0.5} className="upload-item-row-body">
        <ItemStatus row={row} onShare={onShare} />
        {!isFixed && <ItemNotices row={row} onShare={onShare} onRemove={remove} />}
        {!isFixed && <ItemDetails row={row} />}
      </Stack>
      {!isInProgress(row) && (
        <IconButton
          icon="x"
          label={isUnsent(row) ? `Remove ${file.name}` : `Remove ${file.name} from the list`}
          className="upload-item-row-remove"
          onClick={remove}
        />
      )}
    </li>
  )
}

const isEnterInField = ({ key, target }: KeyboardEvent) => key === 'Enter' && target instanceof HTMLInputElement

function factsOf({ file, findings: { pageCount } }: UploadItem): string {
  const size = formatBytes(file.size)
  return pageCount === null ? size : `${size} · ${pageCount} ${pageCount === 1 ? 'page' : 'pages'}`
}

/** Suggests the title in the PDF if it differs from the item's title and does not reveal an anonymous author. */
function SuggestedTitle({ row }: { row: UploadItem }) {
  const { id, title } = row
  const offered = row.findings.offeredTitle
  const isHidden = useUploadQueue((state) => isAnonymous(row, state.details))
  const author = useSession((state) => state.user)
  if (offered === null || offered === title) return null
  if (isHidden && author && mentionsAuthor(offered, author)) return null
  return (
    <button
      type="button"
      className="text-soft text-small upload-item-row-suggestion"
      onClick={() => uploadQueue.change(id, { title: offered, errors: {} })}
    >
      Use the PDF’s title: <bdi className="link">{offered}</bdi>
    </button>
  )
}

/** Shows the first page as a small sheet. The sheet is empty until the page is drawn or if drawing fails. */
const ItemThumbnail = ({ thumbnail }: { thumbnail: string | null }) => (
  <div className="item-thumbnail" aria-hidden="true">
    {thumbnail === null ? <Icon name="file-text" strokeWidth={1.25} /> : <img src={thumbnail} alt="" />}
  </div>
)

/** Edits the details of one file that differ from the shared details; untouched fields follow the shared ones. */
function ItemDetails({ row }: { row: UploadItem }) {
  const { id, file, ownDetails, errors } = row
  const ofAll = useUploadQueue((state) => state.details)
  if (ofAll === null) return null
  if (ownDetails === null) {
    return (
      <FileButton
        text="Use different details"
        about={`for ${file.name}`}
        className="item-details-toggle"
        onClick={() => uploadQueue.change(id, { ownDetails: {} })}
      />
    )
  }
  const own = { ...ofAll, ...ownDetails }
  const set = (change: Partial<UploadDetails>) =>
    uploadQueue.change(id, { ownDetails: { ...ownDetails, ...change }, errors: {} })
  return (
    <Grid as="fieldset" columns={11} gap={[0.75, 1]} align="start" className="item-details">
      <legend className="text-medium text-strong item-details-legend">Details for this file</legend>
      {detailNames.map((name) => (
        <DetailField
          key={name}
          name={name}
          label={`${properties[name].label} for this file`}
          value={own[name]}
          error={errors[name]}
          onValueChange={(value) => set({ [name]: value })}
        />
      ))}
      <Checkbox
        label="Display this file anonymously"
        checked={own.isAnonymous}
        onChange={(event) => set({ isAnonymous: event.target.checked })}
      />
      <FileButton
        text="Use the same details"
        about={`for ${file.name}`}
        className="item-details-toggle"
        onClick={() => uploadQueue.change(id, { ownDetails: null, errors: {} })}
      />
    </Grid>
  )
}

function ItemStatus({ row, onShare }: { row: UploadItem; onShare: (id: string) => void }) {
  const { id, file, sending } = row
  switch (sending.kind) {
    case 'waiting':
    case 'sending':
      return (
        <Grid columns="minmax(0, 1fr) auto" gap={0.5} align="center">
          <RowProgress row={row} />
          <FileButton text="Cancel" about={file.name} onClick={() => cancelRow(id)} />
        </Grid>
      )
    case 'shared':
      return <Shared note={sending.note} />
    case 'failed':
      return (
        <Line gap={0.5} size="medium" className="item-status-failed">
          <Icon name="circle-exclamation-point" />
          <p>{sending.reason}</p>
          {!isUnrecoverable(row) && (
            <FileButton variant="secondary" text="Try again" about={`with ${file.name}`} onClick={() => onShare(id)} />
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
        <Link to={paths.note(note._id)} className="item-status-note">
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
