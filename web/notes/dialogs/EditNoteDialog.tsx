import { zodResolver } from '@hookform/resolvers/zod'
import { useRef } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { type Note, noteEdit } from '../../../contract/notes.ts'
import { useAcademicYears } from '../../api/config.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { showError } from '../../ui/toast.ts'
import { AnonymousField, asTyped, CourseCodeField, InstructorField } from '../DetailFields.tsx'
import { isGone } from '../failures.ts'
import { useEditNote } from './change-note.ts'
import type { NoteDialogProps } from './use-note-dialogs.ts'

export function EditNoteDialog({ note, open, onOpenChange }: NoteDialogProps) {
  const saving = useEditNote(note)
  const { register, control, handleSubmit, reset, formState } = useForm({
    resolver: zodResolver(noteEdit),
    defaultValues: valuesOf(note),
  })
  const { errors, dirtyFields } = formState
  const title = useRef<HTMLInputElement>(null)
  const titleField = register('title')
  const close = () => onOpenChange(false)

  const save = handleSubmit(
    (edit) =>
      // A title that is not touched stays what it is by then.
      saving.mutate(dirtyFields.title ? edit : { ...edit, title: undefined }, {
        onSuccess: close,
        onError: (failure) => {
          // SPEC.md section 4: on failure the form goes back to the original values.
          reset(valuesOf(note))
          if (isGone(failure)) close()
        },
      }),
    (invalid) => {
      const first = Object.values(invalid).find((error) => error?.message)
      if (first?.message) showError(first.message)
    },
  )

  return (
    <FormDialog
      {...{ open, onOpenChange }}
      title="Edit note"
      description={note.title}
      initialFocus={(openedBy) => (openedBy === 'touch' ? true : title.current)}
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
      <Controller
        name="courseCode"
        control={control}
        render={({ field }) => (
          <CourseCodeField {...asTyped(field)} label="Course Code" error={errors.courseCode?.message} />
        )}
      />
      <SelectField
        label="Academic year"
        options={useAcademicYears(note.academicYear).map((year) => ({ value: year, label: year }))}
        error={errors.academicYear?.message}
        {...register('academicYear')}
      />
      <Controller
        name="instructor"
        control={control}
        render={({ field }) => (
          <InstructorField {...asTyped(field)} label="Instructor" error={errors.instructor?.message} />
        )}
      />
      <AnonymousField {...register('isAnonymous')} />
    </FormDialog>
  )
}

const valuesOf = ({ title, courseCode, academicYear, instructor, isAnonymous }: Note) => ({
  title,
  courseCode,
  academicYear,
  instructor: instructor ?? '',
  isAnonymous,
})
