import { useState } from 'react'
import { lazyPart } from '../../../platform/layout/chunk-reload.ts'
import { Button } from '../../../platform/ui/Button.tsx'
import { Icon } from '../../../platform/ui/Icon.tsx'
import { FileNotice } from '../FileNotice.tsx'
import { listSome } from '../format-list.ts'
import { hiddenNamePages, namedPages } from '../needs-attention.ts'
import type { UploadItem } from '../upload-queue.ts'
import type { NameScan } from './finding.ts'
import type { NameChoices } from './NameMatchesDialog.tsx'

const NameMatchesDialog = lazyPart(() => import('./NameMatchesDialog.tsx').then((part) => part.NameMatchesDialog))

/** Shows whether the pages of an anonymous file name the author. */
export function NameNotice({ row, ...choices }: { row: UploadItem } & NameChoices) {
  const { file, findings, accepted } = row
  const { names } = findings
  const named = namedPages(row)
  const hidden = hiddenNamePages(row)
  const isOpen = named.length > 0 && !accepted.names
  const [isLooking, setLooking] = useState(false)
  // The dialog stays mounted after it was opened, so that it can fade out.
  const [wasLooking, setWasLooking] = useState(false)
  if (names === null || names.pages.length === 0)
    return <FileNotice icon={<Icon name="user-round-search" />}>{whatWasRead(names)}</FileNotice>

  const look = () => {
    setLooking(true)
    setWasLooking(true)
  }
  return (
    <>
      <FileNotice
        icon={<Icon name="user-round-search" />}
        isOpen={isOpen}
        choices={
          <>
            <Button variant="secondary" size="small" onClick={look}>
              Show me<span className="visually-hidden"> where your name appears in {file.name}</span>
            </Button>
            {isOpen && hidden.length > 0 && !row.removesHiddenName && (
              <Button variant="secondary" size="small" onClick={choices.onRemoveHidden}>
                Remove invisible name<span className="visually-hidden"> ({file.name})</span>
              </Button>
            )}
            {isOpen && (
              <>
                <Button variant="ghost" size="small" onClick={choices.onShareAnyway}>
                  Upload anyway<span className="visually-hidden"> ({file.name})</span>
                </Button>
                <Button variant="ghost" size="small" onClick={choices.onShareByName}>
                  Upload with my name<span className="visually-hidden"> ({file.name})</span>
                </Button>
                <Button variant="ghost" size="small" onClick={choices.onRemove}>
                  Remove<span className="visually-hidden"> this file ({file.name})</span>
                </Button>
              </>
            )}
          </>
        }
      >
        {named.length > 0 && `Your name appears on ${listPages(named)}. `}
        {hidden.length > 0 &&
          (row.removesHiddenName
            ? `Your name will be removed from the invisible text of ${listPages(hidden)}.`
            : `Invisible text on ${listPages(hidden)} contains it, so it can be found and copied.`)}
      </FileNotice>
      {wasLooking && (
        <NameMatchesDialog
          file={file}
          pages={names.pages}
          open={isLooking}
          onOpenChange={setLooking}
          choices={isOpen ? choices : null}
        />
      )}
    </>
  )
}

const listPages = (pages: NameScan['pages']) =>
  `${pages.length === 1 ? 'page' : 'pages'} ${listSome(pages.map(({ page }) => String(page)))}`

function whatWasRead(names: NameScan | null): string {
  if (names === null) return 'Checking the pages for your name…'
  const { pagesRead, pageCount, hasText } = names
  if (pagesRead === 0) return 'Couldn’t check the pages for your name. Please check them yourself.'
  if (!hasText) return 'This file has no searchable text. Please check the pages for your name.'
  if (pagesRead !== pageCount) return `Your name isn’t on the first ${pagesRead} pages. The rest wasn’t checked.`
  return 'Your name wasn’t found in the text.'
}
