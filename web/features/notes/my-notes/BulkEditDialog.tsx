import { useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { type NoteChange, noteChange } from '../../../../packages/contract/notes.ts'
import { useAcademicYears } from '../../../platform/api/config.ts'
import { Button } from '../../../platform/ui/Button.tsx'
import { Stack } from '../../../platform/ui/layout.tsx'
import { SelectField } from '../../../platform/ui/SelectField.tsx'
import { getCachedNote } from '../cache/note-cache.ts'
import { asTyped, CourseCodeField, InstructorField } from '../DetailFields.tsx'
import { countOf } from '../format.ts'
import { BulkDialog, type BulkDialogProps, finish } from './BulkDialog.tsx'
import { type CommonDetails, commonDetails, differs } from './common-details.ts'
import { type Change, editOne } from './run-bulk-action.ts'
import { useBulkAction } from './use-bulk-action.ts'

const formId = 'edit-several'
const keepCurrent = { value: '', label: 'Keep current values' }

export function BulkEditDialog(props: BulkDialogProps) {
  const { noteIds, onChanged, onOpenChange } = props
  // The notes are read once when the dialog opens, because a save must not change the form.
  const [notes] = useState(() => noteIds.flatMap((id) => getCachedNote(id) ?? []))
  const [defaultValues] = useState(() => commonDetails(notes))
  const { register, control, handleSubmit, setError, formState } = useForm<CommonDetails>({ defaultValues })
  const { errors, dirtyFields } = formState
  const changes = useBulkAction()
  const [lastChange, setLastChange] = useState<Change | null>(null)
  const years = useAcademicYears(defaultValues.academicYear).map((year) => ({ value: year, label: year }))
  const count = countOf(noteIds.length, 'note')
  const stays = (name: 'courseCode' | 'instructor') =>
    differs(notes, name) ? 'Leave empty to keep current values.' : undefined

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
        <Controller
          name="courseCode"
          control={control}
          render={({ field }) => (
            <CourseCodeField
              {...asTyped(field)}
              label="Course Code"
              hint={stays('courseCode')}
              error={errors.courseCode?.message}
            />
          )}
        />
        <SelectField
          label="Academic year"
          options={defaultValues.academicYear === '' ? [keepCurrent, ...years] : years}
          error={errors.academicYear?.message}
          {...register('academicYear')}
        />
        <Controller
          name="instructor"
          control={control}
          render={({ field }) => (
            <InstructorField
              {...asTyped(field)}
              label="Instructor"
              hint={stays('instructor')}
              error={errors.instructor?.message}
            />
          )}
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

/** Returns only the fields the user touched, without empty values that mean "unchanged". */
function changeOf(typed: CommonDetails, touched: Partial<Record<keyof CommonDetails, boolean>>): NoteChange {
  return {
    ...(touched.courseCode && { courseCode: typed.courseCode }),
    ...(touched.academicYear && { academicYear: typed.academicYear }),
    ...(touched.instructor && { instructor: typed.instructor }),
    ...(touched.isAnonymous && typed.isAnonymous !== '' && { isAnonymous: typed.isAnonymous === 'true' }),
  }
}

/** An error about the whole change is shown at the first field. */
const fieldAt = ([name]: PropertyKey[]) => (name as keyof CommonDetails | undefined) ?? 'courseCode'
