import type { ComponentProps, ReactNode } from 'react'
import { lazyPart } from '../../platform/layout/chunk-reload.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { Icon, type IconName } from '../../platform/ui/Icon.tsx'
import { Grid, Row } from '../../platform/ui/layout.tsx'
import { useDialog } from '../../platform/ui/use-dialog.ts'
import { formatMoment } from '../notes/format.ts'
import { listSome } from './format-list.ts'
import type { NameChoices } from './name-check/NameMatchesDialog.tsx'
import {
  findDuplicate,
  hiddenNamePages,
  isAlreadyUploaded,
  isAnonymous,
  type NameScan,
  namedPages,
  type UploadItem,
  uploadQueue,
  useUploadQueue,
} from './upload-queue.ts'

const NameMatchesDialog = lazyPart(() =>
  import('./name-check/NameMatchesDialog.tsx').then((part) => part.NameMatchesDialog),
)

type ItemNoticesProps = { row: UploadItem; onShare: (id: string) => void; onRemove: () => void }

export function ItemNotices({ row, onShare, onRemove }: ItemNoticesProps) {
  const { id, file, findings, accepted, sending } = row
  const { rows, details } = useUploadQueue((state) => state)
  const { unreadable, damagedPages, sameFile } = findings
  const twin = findDuplicate(row, rows)

  function decide(decision: Partial<Pick<UploadItem, 'accepted' | 'ownDetails' | 'removesHiddenName'>>) {
    uploadQueue.change(id, { ...decision, sending: { kind: 'ready' } })
    // The answer resumes an upload that was stopped by the question.
    if (sending.kind === 'held') onShare(id)
  }

  /** A finding with which the user may upload the file nevertheless. */
  const question = (kind: 'damage' | 'sameFile', icon: IconName, text: ReactNode) => (
    <FileNotice
      icon={icon}
      isOpen={!accepted[kind]}
      choices={
        !accepted[kind] && (
          <>
            <FileButton
              variant="secondary"
              text="Upload anyway"
              about={`(${file.name})`}
              onClick={() => decide({ accepted: { ...accepted, [kind]: true } })}
            />
            <FileButton text="Remove" about={`this file (${file.name})`} onClick={onRemove} />
          </>
        )
      }
    >
      {text}
    </FileNotice>
  )

  return (
    <>
      {unreadable && sending.kind !== 'failed' && (
        <FileNotice
          icon={unreadable === 'locked' ? 'lock' : 'circle-exclamation-point'}
          isOpen
          choices={
            <FileButton variant="secondary" text="Remove" about={`this file (${file.name})`} onClick={onRemove} />
          }
        >
          {unreadable === 'locked'
            ? 'This file is password-protected. Remove the password and add it again.'
            : 'This file is damaged or isn’t a PDF. Save or export it again and add the new file.'}
        </FileNotice>
      )}
      {damagedPages.length > 0 &&
        question(
          'damage',
          'circle-exclamation-point',
          `This file is damaged: ${listPages(damagedPages)} can’t be shown.`,
        )}
      {twin && <FileNotice icon="files">Duplicate of “{twin.file.name}”.</FileNotice>}
      {sameFile &&
        isAlreadyUploaded(row) &&
        question(
          'sameFile',
          'file-search',
          `You already uploaded this on ${formatMoment(sameFile.createdAt)} as “${sameFile.title}”.`,
        )}
      {isAnonymous(row, details) && unreadable === null && (
        <NameNotice
          row={row}
          onShareAnyway={() => decide({ accepted: { ...accepted, names: true } })}
          onShareByName={() => decide({ ownDetails: { ...row.ownDetails, isAnonymous: false } })}
          onRemoveHidden={() => decide({ removesHiddenName: true })}
          onRemove={onRemove}
        />
      )}
    </>
  )
}

function NameNotice({ row, ...choices }: { row: UploadItem } & NameChoices) {
  const { file, accepted } = row
  const { names } = row.findings
  const named = namedPages(row)
  const hidden = hiddenNamePages(row)
  const isOpen = named.length > 0 && !accepted.names
  const [dialog, show] = useDialog()
  if (names === null || names.pages.length === 0)
    return <FileNotice icon="user-round-search">{whatWasRead(names)}</FileNotice>

  const ofFile = `(${file.name})`
  return (
    <>
      <FileNotice
        icon="user-round-search"
        isOpen={isOpen}
        choices={
          <>
            <FileButton
              variant="secondary"
              text="Show me"
              about={`where your name appears in ${file.name}`}
              onClick={() => show({})}
            />
            {isOpen && hidden.length > 0 && !row.removesHiddenName && (
              <FileButton
                variant="secondary"
                text="Remove invisible name"
                about={ofFile}
                onClick={choices.onRemoveHidden}
              />
            )}
            {isOpen && (
              <>
                <FileButton text="Upload anyway" about={ofFile} onClick={choices.onShareAnyway} />
                <FileButton text="Upload with my name" about={ofFile} onClick={choices.onShareByName} />
                <FileButton text="Remove" about={`this file ${ofFile}`} onClick={choices.onRemove} />
              </>
            )}
          </>
        }
      >
        {named.length > 0 && `Your name appears on ${listPages(named.map(({ page }) => page))}. `}
        {hidden.length > 0 && describeHidden(listPages(hidden.map(({ page }) => page)), row.removesHiddenName)}
      </FileNotice>
      {dialog && <NameMatchesDialog {...dialog} file={file} pages={names.pages} choices={isOpen ? choices : null} />}
    </>
  )
}

const listPages = (pages: number[]) => `${pages.length === 1 ? 'page' : 'pages'} ${listSome(pages.map(String))}`

const describeHidden = (pages: string, isRemoved: boolean) =>
  isRemoved
    ? `Your name will be removed from the invisible text of ${pages}.`
    : `Invisible text on ${pages} contains it, so it can be found and copied.`

function whatWasRead(names: NameScan | null): string {
  if (names === null) return 'Checking the pages for your name…'
  const { pagesRead, pageCount, hasText } = names
  if (pagesRead === 0) return 'Couldn’t check the pages for your name. Please check them yourself.'
  if (!hasText) return 'This file has no searchable text. Please check the pages for your name.'
  if (pagesRead !== pageCount)
    return `Your name isn’t on the first ${pagesRead === 1 ? 'page' : `${pagesRead} pages`}. The rest wasn’t checked.`
  return 'Your name wasn’t found in the text.'
}

type FileNoticeProps = {
  icon: IconName
  /** True if the notice asks a question that blocks the upload of the file. */
  isOpen?: boolean
  children: ReactNode
  choices?: ReactNode
}

const FileNotice = ({ icon, isOpen = false, children, choices }: FileNoticeProps) => (
  <Grid
    columns="auto minmax(0, 1fr)"
    gap={0.5}
    tone={isOpen ? undefined : 'soft'}
    size="medium"
    className={isOpen ? 'file-notice-open' : undefined}
  >
    <Icon name={icon} />
    <div>
      <p>{children}</p>
      {choices && (
        <Row gap={0.375} top={0.5}>
          {choices}
        </Row>
      )}
    </div>
  </Grid>
)

type FileButtonProps = ComponentProps<typeof Button> & { text: string; about: string }

/** A button for one of the files. `about` follows its text for screen readers. */
export const FileButton = ({ text, about, ...button }: FileButtonProps) => (
  <Button variant="ghost" size="small" {...button}>
    {text}
    <span className="visually-hidden"> {about}</span>
  </Button>
)
