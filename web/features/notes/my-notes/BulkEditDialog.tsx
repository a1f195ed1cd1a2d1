import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type DetailName, type Note, type NoteChange, noteChange } from '../../../../packages/contract/notes.ts'
import { Button } from '../../../platform/ui/Button.tsx'
import { Stack } from '../../../platform/ui/layout.tsx'
import { SelectField } from '../../../platform/ui/SelectField.tsx'
import { getCachedNote } from '../cache/note-cache.ts'
import { FormDetails } from '../DetailFields.tsx'
import { countOf } from '../format.ts'
import { commonDetails, type Details, detailNames, differs, properties } from '../properties.ts'
import { BulkDialog, type BulkDialogProps, finish } from './BulkDialog.tsx'
import { type Change, editOne } from './run-bulk-action.ts'
import { useBulkAction } from './use-bulk-action.ts'

const formId = 'edit-several'
const keepCurrent = { value: '', label: 'Keep current values' }

export function BulkEditDialog(props: BulkDialogProps) {
  const { noteIds, onChanged, onOpenChange } = props
  // The notes are read once when the dialog opens, because a save must not change the form.
  const [notes] = useState(() => noteIds.flatMap((id) => getCachedNote(id) ?? []))
  const [defaultValues] = useState(() => commonValues(notes))
  const { register, control, handleSubmit, setError, formState } = useForm<CommonValues>({ defaultValues })
  const { dirtyFields } = formState
  const changes = useBulkAction()
  const [lastChange, setLastChange] = useState<Change | null>(null)
  const count = countOf(noteIds.length, 'note')
  const save = handleSubmit(async (typed) => {
    const checked = noteChange.safeParse(changeOf(typed, dirtyFields))
    if (!checked.success) {
      for (const { path, message } of checked.error.issues) setError(fieldAt(path), { message })
      return
    }
    const change = editOne(checked.data, notes)
    setLastChange(() => change)
    const done = await changes.run(noteIds, change)
    onChanged(done)
    if (done.length === noteIds.length) finish(done.length, 'updated', () => onOpenChange(false))
  })

  return (
    <BulkDialog
      {...props}
      changes={changes}
      title={`Edit ${count}`}
      description={
        noteIds.length === 1 ? 'Titles don’t change.' : 'Changes apply to all selected notes. Titles don’t change.'
      }
      verb="updated"
      again={lastChange}
      begin={
        <Button type="submit" form={formId}>
          Update {count}
        </Button>
      }
    >
      <Stack as="form" id={formId} noValidate onSubmit={(event) => void save(event)}>
        <FormDetails
          control={control}
          more={(name) => (differs(notes, name) ? { hint: keepHint(name), blank: keepCurrent.label } : {})}
        />
        <SelectField
          label="Author"
          options={[
            ...(defaultValues.isAnonymous === '' ? [keepCurrent] : []),
            { value: 'false', label: 'Show my name' },
            { value: 'true', label: 'Anonymous' },
          ]}
          {...register('isAnonymous')}
        />
      </Stack>
    </BulkDialog>
  )
}

type CommonValues = Details & { isAnonymous: '' | 'true' | 'false' }

const commonValues = (notes: Note[]): CommonValues => ({
  ...commonDetails(notes),
  isAnonymous: differs(notes, 'isAnonymous') ? '' : notes[0]?.isAnonymous ? 'true' : 'false',
})

const keepHint = (name: DetailName) => (properties[name].choices ? undefined : 'Leave empty to keep current values.')

/** Returns only the fields the user touched. */
const changeOf = (typed: CommonValues, touched: Partial<Record<keyof CommonValues, boolean>>): NoteChange => ({
  ...Object.fromEntries(detailNames.filter((name) => touched[name]).map((name) => [name, typed[name]])),
  ...(touched.isAnonymous && typed.isAnonymous !== '' && { isAnonymous: typed.isAnonymous === 'true' }),
})

/** An error about the whole change is shown at the first field. */
const fieldAt = ([name]: PropertyKey[]) => (name as keyof CommonValues | undefined) ?? 'courseCode'
