import { useEffect, useMemo } from 'react'
import type { Note } from '../../../../packages/contract/notes.ts'
import { ensureClientConfig } from '../../../platform/api/config.ts'
import { lazyPart } from '../../../platform/layout/chunk-reload.ts'
import { whenIdle } from '../../../platform/ui/browser.ts'
import { useDialog } from '../../../platform/ui/use-dialog.ts'
import type { NoteActions } from '../card/NoteCard.tsx'

/** Loads the limits, too: without them the dialog would suspend the whole page, or replace it by an error. */
const loadEditDialog = async () => {
  const [part] = await Promise.all([import('./EditNoteDialog.tsx'), ensureClientConfig()])
  return part.EditNoteDialog
}
const loadDeleteDialog = () => import('./DeleteNoteDialog.tsx').then((part) => part.DeleteNoteDialog)
const EditNoteDialog = lazyPart(loadEditDialog)
const DeleteNoteDialog = lazyPart(loadDeleteDialog)

/**
 * The actions that open the dialogs of a note, and the open dialog.
 * @param isLikely preloads the dialogs, so that the first one opens as quickly as the later ones.
 */
export function useNoteDialogs(isLikely: boolean) {
  const [shown, show] = useDialog<{ kind: 'edit' | 'remove'; note: Note }>()
  const actions = useMemo<NoteActions>(
    () => ({ edit: (note) => show({ kind: 'edit', note }), remove: (note) => show({ kind: 'remove', note }) }),
    [show],
  )
  useEffect(() => {
    if (isLikely) return whenIdle(() => void Promise.all([loadEditDialog(), loadDeleteDialog()]).catch(() => {}))
  }, [isLikely])
  const dialog = shown && (shown.kind === 'edit' ? <EditNoteDialog {...shown} /> : <DeleteNoteDialog {...shown} />)
  return { actions, dialog }
}
