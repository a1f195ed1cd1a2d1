import { startTransition, useMemo, useState } from 'react'
import type { Note } from '../../../../packages/contract/notes.ts'
import type { NoteActions } from '../card/NoteCard.tsx'

export type NoteDialogProps = { note: Note; open: boolean; onOpenChange: (open: boolean) => void }

type Shown = { kind: 'edit' | 'remove'; note: Note; open: boolean; turn: number }

/** Tracks which note is being edited or deleted. A closed dialog keeps its note while it fades out. */
export function useNoteDialogs() {
  const [shown, setShown] = useState<Shown | null>(null)
  const actions = useMemo<NoteActions>(() => {
    // The transition shows the button press immediately, and the page stays as it is while the dialog's chunk is
    // loading.
    const show = (kind: Shown['kind']) => (note: Note) =>
      startTransition(() => setShown((before) => ({ kind, note, open: true, turn: (before?.turn ?? 0) + 1 })))
    return { edit: show('edit'), remove: show('remove') }
  }, [])
  const propsFor = (kind: Shown['kind']): (NoteDialogProps & { key: number }) | null =>
    shown?.kind === kind
      ? {
          // A new key for each opening resets the form to the current note.
          key: shown.turn,
          note: shown.note,
          open: shown.open,
          onOpenChange: (open) => setShown((before) => before && { ...before, open }),
        }
      : null
  return { actions, editing: propsFor('edit'), removing: propsFor('remove') }
}
