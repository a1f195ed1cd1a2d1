import type { KeyboardEvent } from 'react'
import { formatBytes } from '../notes/format-bytes.ts'
import { useSession } from '../session/store.ts'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { TextField } from '../ui/TextField.tsx'
import { isNamedIn } from './names/find-name.ts'
import { RowDetails } from './RowDetails.tsx'
import { RowNotices } from './RowNotices.tsx'
import { RowOutcome } from './RowOutcome.tsx'
import { RowSheet } from './RowSheet.tsx'
import { isAnonymous, isUnderWay, isUnsent, type Row, tray, useTray } from './tray.ts'
import './tray-row.css'

type TrayRowProps = {
  row: Row
  onShare: (id: string) => void
}

/** One file on its way to become a note: what it will be called, what is known of it, and how its sending goes. */
export function TrayRow({ row, onShare }: TrayRowProps) {
  const { id, file, title, findings, errors } = row
  const isFixed = isUnderWay(row) || !isUnsent(row)
  const remove = () => tray.remove((other) => other.id === id)
  return (
    // A field of one file is confirmed so, not the whole tray.
    <li className="tray-row" onKeyDown={(event) => isEnterInField(event) && event.preventDefault()}>
      <RowSheet thumbnail={findings.thumbnail} />
      <div className="tray-row-head">
        <p className="tray-row-file">
          <span className="tray-row-name" title={file.name}>
            {file.name}
          </span>
          <span className="tray-row-facts">{factsOf(row)}</span>
        </p>
        {isUnsent(row) ? (
          <TextField
            label={`Title of ${file.name}`}
            className="tray-row-title"
            autoComplete="off"
            disabled={isFixed}
            value={title}
            error={errors.title}
            onChange={(event) =>
              tray.change(id, { title: event.target.value, errors: { ...errors, title: undefined } })
            }
          />
        ) : (
          <p className="tray-row-shared">{title}</p>
        )}
        {!isFixed && <OfferedTitle row={row} />}
      </div>
      <div className="tray-row-rest">
        <RowOutcome row={row} onShare={onShare} />
        {!isFixed && <RowNotices row={row} onShare={onShare} onRemove={remove} />}
        {!isFixed && <RowDetails row={row} />}
      </div>
      {!isUnderWay(row) && (
        <Button variant="ghost" size="square" className="tray-row-remove" icon={<Icon name="x" />} onClick={remove}>
          <span className="visually-hidden">
            {isUnsent(row) ? `Remove ${file.name}` : `Take ${file.name} off this list`}
          </span>
        </Button>
      )}
    </li>
  )
}

const isEnterInField = ({ key, target }: KeyboardEvent) => key === 'Enter' && target instanceof HTMLInputElement

function factsOf({ file, findings: { pageCount } }: Row): string {
  const size = formatBytes(file.size)
  return pageCount === null ? size : `${size} · ${pageCount} ${pageCount === 1 ? 'page' : 'pages'}`
}

/** The title that stands in the file, as long as it is not the row's and names nobody who is not to be named. */
function OfferedTitle({ row }: { row: Row }) {
  const { id, title } = row
  const offered = row.findings.offeredTitle
  const isHidden = useTray((state) => isAnonymous(row, state.details))
  const author = useSession((state) => state.user)
  if (offered === null || offered === title) return null
  if (isHidden && author && isNamedIn(offered, author)) return null
  return (
    <button type="button" className="tray-row-offer" onClick={() => tray.change(id, { title: offered, errors: {} })}>
      Use the title inside: <span className="link">{offered}</span>
    </button>
  )
}
