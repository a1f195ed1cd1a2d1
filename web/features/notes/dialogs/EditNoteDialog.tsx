import { zodResolver } from '@hookform/resolvers/zod'
import { useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { type Note, type NoteEdit, noteEdit } from '../../../../packages/contract/notes.ts'
import { isOutdated } from '../../../platform/api/write-over.ts'
import { FormDialog } from '../../../platform/ui/Dialog.tsx'
import { TextField } from '../../../platform/ui/fields.tsx'
import { isTouch } from '../../../platform/ui/is-mobile.ts'
import { showError } from '../../../platform/ui/toast.ts'
import { getCachedNote } from '../cache/note-cache.ts'
import { AnonymousField, FormDetails } from '../DetailFields.tsx'
import { isDeleted } from '../note-errors.ts'
import { detailsOf } from '../properties.ts'
import { useEditNote } from './use-note-changes.ts'
import type { NoteDialogProps } from './use-note-dialogs.ts'

export function EditNoteDialog({ note, open, onClose }: NoteDialogProps) {
  const [read, setRead] = useState(note)
  const saving = useEditNote(read)
  const { register, control, handleSubmit, reset, setError, formState } = useForm({
    resolver: zodResolver(noteEdit),
    defaultValues: valuesOf(note),
  })
  const { errors, dirtyFields, isDirty } = formState
  const title = useRef<HTMLInputElement>(null)
  const titleField = register('title')

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
      initialFocus={() => (isTouch() ? true : title.current)}
      action="Save Changes"
      busy={saving.isPending}
      onSubmit={() => void save()}
    >
      <TextField
        label="Title"
        autoComplete="off"
        error={errors.title?.message}
        {...titleField}
        ref={(element) => {
          titleField.ref(element)
          title.current = element
        }}
      />
      <FormDetails control={control} />
      <AnonymousField error={errors.isAnonymous?.message} {...register('isAnonymous')} />
    </FormDialog>
  )
}

const valuesOf = (note: Note) => ({ ...detailsOf(note), title: note.title, isAnonymous: note.isAnonymous })
