import { useState } from 'react'
import { lazyPart } from '../../layout/missing-part.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { FileNotice } from '../FileNotice.tsx'
import { listSome } from '../list-some.ts'
import type { Row } from '../tray.ts'
import type { NameFinding } from './finding.ts'
import type { NameChoices } from './NamedPagesDialog.tsx'

const NamedPagesDialog = lazyPart(() => import('./NamedPagesDialog.tsx').then((part) => part.NamedPagesDialog))

/** For a file that is to be anonymous: whether its own pages name the student. */
export function NameNotice({ row, ...choices }: { row: Row } & NameChoices) {
  const { file, findings, accepted } = row
  const { names } = findings
  const [isLooking, setLooking] = useState(false)
  // Kept once it was opened, so that it can fade out.
  const [wasLooking, setWasLooking] = useState(false)
  const isNamed = names !== null && names.pages.length > 0
  if (!isNamed) return <FileNotice icon={<Icon name="user-round-search" />}>{whatWasRead(names)}</FileNotice>

  const look = () => {
    setLooking(true)
    setWasLooking(true)
  }
  return (
    <>
      <FileNotice
        icon={<Icon name="user-round-search" />}
        isOpen={!accepted.names}
        choices={
          <>
            <Button variant="secondary" size="small" onClick={look}>
              Show where<span className="visually-hidden"> your name stands in {file.name}</span>
            </Button>
            {!accepted.names && (
              <>
                <Button variant="ghost" size="small" onClick={choices.onShareAnyway}>
                  Share anyway<span className="visually-hidden"> ({file.name})</span>
                </Button>
                <Button variant="ghost" size="small" onClick={choices.onShareByName}>
                  Share by name<span className="visually-hidden"> ({file.name})</span>
                </Button>
                <Button variant="ghost" size="small" onClick={choices.onRemove}>
                  Remove<span className="visually-hidden"> this file ({file.name})</span>
                </Button>
              </>
            )}
          </>
        }
      >
        Your name stands on {names.pages.length === 1 ? 'page' : 'pages'}{' '}
        {listSome(names.pages.map(({ page }) => String(page)))}.
      </FileNotice>
      {wasLooking && (
        <NamedPagesDialog
          file={file}
          pages={names.pages}
          open={isLooking}
          onOpenChange={setLooking}
          choices={accepted.names ? null : choices}
        />
      )}
    </>
  )
}

function whatWasRead(names: NameFinding | null): string {
  if (names === null) return 'Looking for your name in its pages…'
  const { pagesRead, pageCount, hasText } = names
  if (pagesRead === 0) return 'Its pages could not be searched for your name. Please look for yourself.'
  if (!hasText) return 'It has no text that could be searched for your name. Please look for yourself.'
  if (pagesRead !== pageCount) return `Your name is not on the first ${pagesRead} pages; the rest was not searched.`
  return 'Your name was not found in its text.'
}
