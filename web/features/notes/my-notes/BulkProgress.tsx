import { Icon } from '../../../platform/ui/Icon.tsx'
import { ProgressBar } from '../../../platform/ui/ProgressBar.tsx'
import { getCachedNote } from '../cache/note-cache.ts'
import type { BulkItemStatus } from './run-bulk-action.ts'
import './bulk-progress.css'
import { Text } from '../../../platform/ui/layout.tsx'

type BulkProgressProps = {
  fates: ReadonlyMap<string, BulkItemStatus>
  /** The past participle of the action: `deleted`, `updated`. */
  verb: string
  isWorking: boolean
}

/** Shows the overall progress and the status of each note. */
export function BulkProgress({ fates, verb, isWorking }: BulkProgressProps) {
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
      <ul className="fates-list" aria-label="Progress by note" tabIndex={0}>
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
