import { useState } from 'react'
import { editNote } from '../../../../packages/contract/notes.endpoints.ts'
import { type Note, type NoteEdit, noteEdit } from '../../../../packages/contract/notes.ts'
import { api } from '../../../platform/api/client.ts'
import { isOutdated } from '../../../platform/api/write-over.ts'
import { FormDialog, type OpenDialog } from '../../../platform/ui/Dialog.tsx'
import { TextField } from '../../../platform/ui/fields.tsx'
import { showSuccess } from '../../../platform/ui/toast.ts'
import { useApiForm } from '../../auth/use-api-form.tsx'
import { getCachedNote, keepWritten } from '../cache/note-cache.ts'
import { AnonymousField, FormDetails } from '../DetailFields.tsx'
import { detailsOf } from '../properties.ts'
import { isDeleted, showFailure, writeNote } from '../write-note.ts'

export function EditNoteDialog({ note, open, onClose }: OpenDialog & { note: Note }) {
  const [read, setRead] = useState(note)
  const { form, submit, field, isSubmitting } = useApiForm(noteEdit, valuesOf(note), save, recover)
  const { dirtyFields, isDirty } = form.formState

  async function save(edit: NoteEdit): Promise<void> {
    if (!isDirty) return onClose()
    const touched = Object.entries(edit).filter(([name]) => dirtyFields[name as keyof typeof dirtyFields])
    // Anonymity is always sent, so that an edit based on an outdated value of it is reported as a conflict.
    const change = { ...Object.fromEntries(touched), isAnonymous: edit.isAnonymous }
    const saved = await writeNote(read, change, (now) =>
      // The title is not sent unless it changed, so that a newer title stays.
      api.call(editNote, { params: { id: now._id }, body: { ...detailsOf(now), ...change }, ifMatch: now.version }),
    )
    keepWritten(saved)
    showSuccess('Note updated successfully!')
    onClose()
  }

  function recover(failure: unknown): void {
    showFailure(failure, note._id, 'Failed to update note. Please try again later.')
    const now = getCachedNote(note._id)
    if (isOutdated(failure) && now) {
      setRead(now)
      form.reset(valuesOf(now), { keepDirtyValues: true })
      for (const [name, message] of Object.entries(failure.fields)) form.setError(name as keyof NoteEdit, { message })
      return
    }
    // SPEC.md section 4: on failure the form returns to the original values.
    form.reset(valuesOf(read))
    if (isDeleted(failure)) onClose()
  }

  return (
    <FormDialog
      {...{ open, onClose }}
      title="Edit note"
      description={note.title}
      action="Save Changes"
      busy={isSubmitting}
      onSubmit={() => void submit()}
    >
      <TextField label="Title" dir="auto" autoComplete="off" {...field('title')} />
      <FormDetails control={form.control} />
      <AnonymousField {...field('isAnonymous')} />
    </FormDialog>
  )
}

const valuesOf = (note: Note) => ({ ...detailsOf(note), title: note.title, isAnonymous: note.isAnonymous })
