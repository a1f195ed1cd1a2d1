import type { KeyboardEvent } from 'react'
import { useSession } from '../../platform/session/store.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { Icon } from '../../platform/ui/Icon.tsx'
import { TextField } from '../../platform/ui/TextField.tsx'
import { formatBytes } from '../notes/format-bytes.ts'
import { ItemDetails } from './ItemDetails.tsx'
import { ItemNotices } from './ItemNotices.tsx'
import { ItemStatus } from './ItemStatus.tsx'
import { ItemThumbnail } from './ItemThumbnail.tsx'
import { mentionsAuthor } from './name-check/find-name.ts'
import { isAnonymous, isInProgress, isUnsent, tray, type UploadItem, useUploadQueue } from './upload-queue.ts'
import './upload-item-row.css'
import { Stack, Text } from '../../platform/ui/layout.tsx'

type UploadItemRowProps = {
  row: UploadItem
  onShare: (id: string) => void
}

/** Shows one queued file: its title, its facts, and the status of its upload. */
export function UploadItemRow({ row, onShare }: UploadItemRowProps) {
  const { id, file, title, findings, errors } = row
  const isFixed = isInProgress(row) || !isUnsent(row)
  const remove = () => tray.remove((other) => other.id === id)
  return (
    // Enter confirms the field of one file; it must not submit the whole queue.
    <li className="tray-row" onKeyDown={(event) => isEnterInField(event) && event.preventDefault()}>
      <ItemThumbnail thumbnail={findings.thumbnail} />
      <Stack gap={0.5}>
        <p className="text-faint text-small tray-row-file">
          <Text as="span" isCut maxWidth="100%" title={file.name}>
            {file.name}
          </Text>
          <Text as="span" isCount>
            {factsOf(row)}
          </Text>
        </p>
        {isUnsent(row) ? (
          <TextField
            label={`Title of ${file.name}`}
            className="field-unlabelled tray-row-title"
            autoComplete="off"
            disabled={isFixed}
            value={title}
            error={errors.title}
            onChange={(event) =>
              tray.change(id, { title: event.target.value, errors: { ...errors, title: undefined } })
            }
          />
        ) : (
          <Text size="large" isSerif>
            {title}
          </Text>
        )}
        {!isFixed && <SuggestedTitle row={row} />}
      </Stack>
      <Stack gap={0.5} className="tray-row-rest">
        <ItemStatus row={row} onShare={onShare} />
        {!isFixed && <ItemNotices row={row} onShare={onShare} onRemove={remove} />}
        {!isFixed && <ItemDetails row={row} />}
      </Stack>
      {!isInProgress(row) && (
        <Button variant="ghost" size="square" className="tray-row-remove" icon={<Icon name="x" />} onClick={remove}>
          <span className="visually-hidden">
            {isUnsent(row) ? `Remove ${file.name}` : `Remove ${file.name} from the list`}
          </span>
        </Button>
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
      className="text-soft text-small tray-row-offer"
      onClick={() => tray.change(id, { title: offered, errors: {} })}
    >
      Use the PDF’s title: <span className="link">{offered}</span>
    </button>
  )
}
