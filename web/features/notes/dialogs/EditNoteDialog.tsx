import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { editNote } from '../../../../packages/contract/notes.endpoints.ts'
import { type Note, type NoteEdit, noteEdit } from '../../../../packages/contract/notes.ts'
import { api } from '../../../platform/api/client.ts'
import { isOutdated } from '../../../platform/api/write-over.ts'
import { FormDialog, type OpenDialog } from '../../../platform/ui/Dialog.tsx'
import { TextField } from '../../../platform/ui/fields.tsx'
import { showError, showSuccess } from '../../../platform/ui/toast.ts'
import { getCachedNote, keepWritten } from '../cache/note-cache.ts'
import { AnonymousField, FormDetails } from '../DetailFields.tsx'
import { detailsOf } from '../properties.ts'
import { isDeleted, showFailure, writeNote } from '../write-note.ts'

export function EditNoteDialog({ note, open, onClose }: OpenDialog & { note: Note }) {
  const [read, setRead] = useState(note)
  const saving = useMutation({
    // Anonymity is always sent, so that an edit based on an outdated value of it is reported as a conflict.
    mutationFn: (change: Partial<NoteEdit> & Pick<NoteEdit, 'isAnonymous'>) =>
      writeNote(read, change, (now) =>
        // The title is not sent unless it changed, so that a newer title stays.
        api.call(editNote, { params: { id: now._id }, body: { ...detailsOf(now), ...change }, ifMatch: now.version }),
      ),
    onSuccess: (saved) => {
      keepWritten(saved)
      showSuccess('Note updated successfully!')
    },
    onError: (failure) => showFailure(failure, note._id, 'Failed to update note. Please try again later.'),
  })
  const { register, control, handleSubmit, reset, setError, formState } = useForm({
    resolver: zodResolver(noteEdit),
    defaultValues: valuesOf(note),
  })
  const { errors, dirtyFields, isDirty } = formState

  const save = handleSubmit(
    (edit) => {
      if (!isDirty) return onClose()
      const touched = Object.entries(edit).filter(([name]) => dirtyFields[name as keyof typeof dirtyFields])
      saving.mutate(
        { ...Object.fromEntries(touched), isAnonymous: edit.isAnonymous },
        {
          onSuccess: onClose,
          onError: (failure) => {
            const now = getCachedNote(note._id)
            if (isOutdated(failure) && now) {
              setRead(now)
              reset(valuesOf(now), { keepDirtyValues: true })
              for (const [name, message] of Object.entries(failure.fields))
                setError(name as keyof NoteEdit, { message })
              return
            }
            // SPEC.md section 4: on failure the form returns to the original values.
            reset(valuesOf(read))
            if (isDeleted(failure)) onClose()
          },
        },
      )
    },
    (invalid) => {
      const first = Object.values(invalid).find((error) => error?.message)
      if (first?.message) showError(first.message)
    },
  )

  return (
    <FormDialog
      {...{ open, onClose }}
      title="Edit note"
      description={note.title}
      action="Save Changes"
      busy={saving.isPending}
      onSubmit={() => void save()}
    >
      <TextField label="Title" autoComplete="off" error={errors.title?.message} {...register('title')} />
      <FormDetails control={control} />
      <AnonymousField error={errors.isAnonymous?.message} {...register('isAnonymous')} />
    </FormDialog>
  )
}

const valuesOf = (note: Note) => ({ ...detailsOf(note), title: note.title, isAnonymous: note.isAnonymous })
