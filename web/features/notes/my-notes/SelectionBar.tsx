import { startTransition, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { lazyPart } from '../../../platform/layout/chunk-reload.ts'
import { Button } from '../../../platform/ui/Button.tsx'
import { Icon } from '../../../platform/ui/Icon.tsx'
import { whenIdle } from '../../../platform/ui/when-idle.ts'
import type { NoteSelection } from './note-selection.ts'
import './selection-bar.css'
import { Row, Text } from '../../../platform/ui/layout.tsx'

const loadEdit = () => import('./BulkEditDialog.tsx').then((part) => part.BulkEditDialog)
const loadDelete = () => import('./BulkDeleteDialog.tsx').then((part) => part.BulkDeleteDialog)
const BulkEditDialog = lazyPart(loadEdit)
const BulkDeleteDialog = lazyPart(loadDelete)
const loadDialogs = () => void Promise.all([loadEdit(), loadDelete()]).catch(() => {})

type SelectionBarProps = {
  choosing: NoteSelection
  /** Selected notes that are not in the list are ignored. */
  shownIds: string[]
  isBlocked: boolean
}

type Shown = { kind: 'edit' | 'delete'; noteIds: string[]; open: boolean; turn: number }

/** Shows the number of selected notes and the actions for them. It stays visible while the user scrolls. */
export function SelectionBar({ choosing, shownIds, isBlocked }: SelectionBarProps) {
  const chosen = useStore(choosing.store, (choice) => choice.chosen)
  const noteIds = shownIds.filter((id) => chosen?.has(id))
  const [shown, setShown] = useState<Shown | null>(null)
  useEffect(() => whenIdle(loadDialogs), [])

  const show = (kind: Shown['kind']) =>
    startTransition(() => setShown((before) => ({ kind, noteIds, open: true, turn: (before?.turn ?? 0) + 1 })))
  const isEmpty = noteIds.length === 0 || isBlocked
  const dialog = shown && {
    key: shown.turn,
    noteIds: shown.noteIds,
    open: shown.open,
    onOpenChange: (open: boolean) => setShown({ ...shown, open }),
    onChanged: (done: string[]) => {
      choosing.keep(noteIds.filter((id) => !done.includes(id)))
    },
  }
  return (
    <Row as="section" gap={[0.25, 0.75]} aria-label="Selected notes" className="selection-bar" data-selection-bar="">
      <Text isStrong isCount role="status">
        {noteIds.length} selected
      </Text>
      <Button variant="ghost" size="small" onClick={() => choosing.add(shownIds)}>
        Select all
      </Button>
      <Row gap={0.5}>
        <Button
          variant="secondary"
          size="small"
          icon={<Icon name="pencil" />}
          disabled={isEmpty}
          onClick={() => isEmpty || show('edit')}
        >
          Edit<span className="visually-hidden"> selected notes</span>
        </Button>
        <Button
          variant="secondary"
          size="small"
          icon={<Icon name="trash" />}
          disabled={isEmpty}
          onClick={() => isEmpty || show('delete')}
        >
          Delete<span className="visually-hidden"> selected notes</span>
        </Button>
        <Button variant="ghost" size="small" onClick={choosing.stop}>
          Done
        </Button>
      </Row>
      {dialog && shown.kind === 'edit' && <BulkEditDialog {...dialog} />}
      {dialog && shown.kind === 'delete' && <BulkDeleteDialog {...dialog} />}
    </Row>
  )
}
