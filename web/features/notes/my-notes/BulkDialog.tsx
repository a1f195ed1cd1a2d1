import { type ReactNode, useEffect } from 'react'
import { Button } from '../../../platform/ui/Button.tsx'
import { Dialog } from '../../../platform/ui/Dialog.tsx'
import { focusHeading, headingOf } from '../../../platform/ui/focus-heading.ts'
import { Icon } from '../../../platform/ui/Icon.tsx'
import { Text } from '../../../platform/ui/layout.tsx'
import { ProgressBar } from '../../../platform/ui/ProgressBar.tsx'
import { showSuccess } from '../../../platform/ui/toast.ts'
import { getCachedNote } from '../cache/note-cache.ts'
import { countOf } from '../format.ts'
import type { BulkItemStatus, Change } from './run-bulk-action.ts'
import type { useBulkAction } from './use-bulk-action.ts'
import './bulk-dialog.css'

export type BulkDialogProps = {
  noteIds: string[]
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Called with the changed notes, which can be removed from the selection. */
  onChanged: (noteIds: string[]) => void
}

type Parts = BulkDialogProps & {
  changes: ReturnType<typeof useBulkAction>
  title: string
  description: ReactNode
  /** The past participle of the action: `deleted`, `updated`. */
  verb: string
  children?: ReactNode
  /** The button that starts the action; it is shown until the action starts. */
  begin: ReactNode
  again: Change | null
}

/** Asks for confirmation, shows the status of each note, and stays open to report failures. */
export function BulkDialog({ changes, again, onChanged, ...props }: Parts) {
  const { title, description, verb, open, onOpenChange, children, begin } = props
  const { fates, isWorking, stop } = changes
  const left = [...fates].filter(([, { kind }]) => kind !== 'done').map(([noteId]) => noteId)
  const close = () => onOpenChange(false)
  // The list disappears with its last note, and this dialog with the list.
  useEffect(
    () => () => {
      if (document.activeElement === document.body) focusHeading()
    },
    [],
  )
  const tryAgain = async (change: Change) => {
    const done = await changes.run(left, change)
    onChanged(done)
    if (done.length === left.length) finish(left.length, verb, close)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !isWorking && onOpenChange(next)}
      title={title}
      description={fates.size === 0 ? description : undefined}
      finalFocus={focusTools}
      footer={
        fates.size === 0 ? (
          <>
            <Button variant="secondary" onClick={close}>
              Cancel
            </Button>
            {begin}
          </>
        ) : isWorking ? (
          <Button variant="secondary" onClick={stop}>
            Stop
          </Button>
        ) : (
          <>
            <Button variant="secondary" onClick={close}>
              Close
            </Button>
            {again !== null && left.length > 0 && (
              <Button onClick={() => void tryAgain(again)}>Retry {countOf(left.length, 'note')}</Button>
            )}
          </>
        )
      }
    >
      {fates.size === 0 ? children : <BulkProgress fates={fates} verb={verb} isWorking={isWorking} />}
    </Dialog>
  )
}

export function finish(count: number, verb: string, close: () => void): void {
  showSuccess(`${countOf(count, 'note')} ${verb}.`)
  close()
}

/** The button that opened the dialog disappears with the selection. */
function focusTools(): HTMLElement | true {
  const isListed = document.querySelector('[data-note-open]') !== null
  return isListed && document.querySelector('[data-selection-bar]') !== null ? true : (headingOf() ?? true)
}

type BulkProgressProps = {
  fates: ReadonlyMap<string, BulkItemStatus>
  /** The past participle of the action: `deleted`, `updated`. */
  verb: string
  isWorking: boolean
}

/** Shows the overall progress and the status of each note. */
function BulkProgress({ fates, verb, isWorking }: BulkProgressProps) {
  const all = [...fates]
  const done = all.filter(([, { kind }]) => kind === 'done').length
  const ended = all.filter(([, { kind }]) => kind !== 'waiting' && kind !== 'working').length
  return (
    <div>
      {isWorking && <ProgressBar value={ended / all.length} label={`Notes ${verb}`} />}
      <Text top={0.5} bottom={0.5} isStrong isCount role="status">
        {done} of {all.length} notes {verb}.
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is longer than its frame is scrolled by keyboard too */}
      <ul className="bulk-progress-list" aria-label="Progress by note" tabIndex={0}>
        {all.map(([noteId, fate]) => (
          <li key={noteId}>
            <FateIcon kind={fate.kind} />
            <div>
              <p>{getCachedNote(noteId)?.title}</p>
              <Text tone="soft" size="small">
                {describeStatus(fate, verb)}
              </Text>
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}

function FateIcon({ kind }: Pick<BulkItemStatus, 'kind'>) {
  if (kind === 'done') return <Icon name="check" className="text-success" />
  if (kind === 'working') return <Icon name="loader-circle" className="text-faint button-spinner" />
  if (kind === 'failed' || kind === 'unknown') return <Icon name="circle-exclamation-point" className="text-danger" />
  return <Icon name="circle-dashed" className="text-faint" />
}

function describeStatus(fate: BulkItemStatus, verb: string): string {
  if ('reason' in fate) return fate.reason
  if (fate.kind === 'done') return verb.charAt(0).toUpperCase() + verb.slice(1)
  if (fate.kind === 'untried') return 'Skipped'
  return fate.kind === 'working' ? 'In progress…' : 'Waiting…'
}
