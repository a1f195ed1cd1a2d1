import { Button } from '../../../platform/ui/Button.tsx'
import { countOf } from '../format.ts'
import { BulkDialog, type BulkDialogProps, finish } from './BulkDialog.tsx'
import { deleteOne } from './run-bulk-action.ts'
import { useBulkAction } from './use-bulk-action.ts'

export function BulkDeleteDialog(props: BulkDialogProps) {
  const { noteIds, onChanged, onOpenChange } = props
  const changes = useBulkAction()
  const notes = countOf(noteIds.length, 'note')

  async function remove() {
    const done = await changes.run(noteIds, deleteOne)
    onChanged(done)
    if (done.length === noteIds.length) finish(done.length, 'deleted', () => onOpenChange(false))
  }

  return (
    <BulkDialog
      {...props}
      changes={changes}
      title={`Delete ${notes}?`}
      description={`Are you sure you want to delete ${noteIds.length === 1 ? 'this note' : 'these notes'}? This can’t be undone.`}
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
