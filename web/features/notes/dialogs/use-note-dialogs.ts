import { startTransition, useMemo, useState } from 'react'
import type { Note } from '../../../../packages/contract/notes.ts'
import type { NoteActions } from '../card/NoteCard.tsx'

/** What a dialog about one note is given. */
export type NoteDialogProps = { note: Note; open: boolean; onOpenChange: (open: boolean) => void }

type Shown = { kind: 'edit' | 'remove'; note: Note; open: boolean; turn: number }

/** Which note is being edited or deleted. A closed dialog keeps its note, so that it can fade out with it. */
export function useNoteDialogs() {
  const [shown, setShown] = useState<Shown | null>(null)
  const actions = useMemo<NoteActions>(() => {
    // In slices: the press is seen at once, and a dialog whose part is still on its way leaves the page as it is.
    const show = (kind: Shown['kind']) => (note: Note) =>
      startTransition(() => setShown((before) => ({ kind, note, open: true, turn: (before?.turn ?? 0) + 1 })))
    return { edit: show('edit'), remove: show('remove') }
  }, [])
  const propsFor = (kind: Shown['kind']): (NoteDialogProps & { key: number }) | null =>
    shown?.kind === kind
      ? {
          // Each opening begins anew, with the note as it is now.
          key: shown.turn,
          note: shown.note,
          open: shown.open,
          onOpenChange: (open) => setShown((before) => before && { ...before, open }),
        }
      : null
  return { actions, editing: propsFor('edit'), removing: propsFor('remove') }
}
