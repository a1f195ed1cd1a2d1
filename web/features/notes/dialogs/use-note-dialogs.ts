import { useMemo } from 'react'
import type { Note } from '../../../../packages/contract/notes.ts'
import type { OpenDialog } from '../../../platform/ui/Dialog.tsx'
import { useDialog } from '../../../platform/ui/use-dialog.ts'
import type { NoteActions } from '../card/NoteCard.tsx'

export type NoteDialogProps = OpenDialog & { note: Note }

export function useNoteDialogs() {
  const [dialog, show] = useDialog<{ kind: 'edit' | 'remove'; note: Note }>()
  const actions = useMemo<NoteActions>(
    () => ({ edit: (note) => show({ kind: 'edit', note }), remove: (note) => show({ kind: 'remove', note }) }),
    [show],
  )
  return {
    actions,
    editing: dialog?.kind === 'edit' ? dialog : null,
    removing: dialog?.kind === 'remove' ? dialog : null,
  }
}
