import { Button } from '../../ui/Button.tsx'
import { countOf } from '../format.ts'
import { deleteOne } from './change-several.ts'
import { finish, SeveralDialog, type SeveralDialogProps } from './SeveralDialog.tsx'
import { useChanges } from './use-changes.ts'

export function DeleteSeveralDialog(props: SeveralDialogProps) {
  const { noteIds, onChanged, onOpenChange } = props
  const changes = useChanges()
  const notes = countOf(noteIds.length, 'note')

  async function remove() {
    const done = await changes.run(noteIds, deleteOne)
    onChanged(done)
    if (done.length === noteIds.length) finish(done.length, 'deleted', () => onOpenChange(false))
  }

  return (
    <SeveralDialog
      {...props}
      changes={changes}
      title={`Delete ${notes}?`}
      description={`Are you sure you want to delete ${noteIds.length === 1 ? 'this note' : 'these notes'}? This cannot be undone.`}
      verb="deleted"
      again={deleteOne}
      begin={
        <Button variant="danger" onClick={() => void remove()}>
          Delete {notes}
        </Button>
      }
    />
  )
}
