import { zodResolver } from '@hookform/resolvers/zod'
import { CircleAlert } from 'lucide-react'
import { useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { errorMessage } from '../../contract/errors.ts'
import { courseCodeLength, instructorLength } from '../../contract/limits.ts'
import { type NoteEdit, noteEdit } from '../../contract/notes.ts'
import { ensureClientConfig, useAcademicYears, useClientConfig } from '../api/config.ts'
import { Button } from '../ui/Button.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { classes } from '../ui/classes.ts'
import { ProgressBar } from '../ui/ProgressBar.tsx'
import { SelectField } from '../ui/SelectField.tsx'
import { TextField } from '../ui/TextField.tsx'
import { showError } from '../ui/toast.ts'
import { addFiles } from './chosen-files.ts'
import { DropZone } from './DropZone.tsx'
import { FileList } from './FileList.tsx'
import { formatBytes } from './format-bytes.ts'
import './upload-page.css'
import { type UploadProgress, useUpload } from './use-upload.ts'

export const loader = ensureClientConfig

const noFile = errorMessage('upload_without_file')

/** SPEC.md sections 2 and 5, "Upload". */
export function Component() {
  const config = useClientConfig()
  const years = useAcademicYears()
  const [files, setFiles] = useState<File[]>([])
  const [refusals, setRefusals] = useState<string[]>([])
  const picker = useRef<HTMLInputElement>(null)
  const form = useForm({
    resolver: zodResolver(noteEdit),
    defaultValues: { courseCode: '', academicYear: years[0] ?? '', instructor: '', isAnonymous: false },
  })
  const { errors } = form.formState
  const upload = useUpload(() => {
    form.reset()
    setFiles([])
    setRefusals([])
  })

  function choose(added: File[]) {
    const choice = addFiles(files, added, config)
    setFiles(choice.files)
    setRefusals(choice.refusals)
    upload.clearProblem()
    for (const refusal of choice.refusals) showError(refusal)
  }

  function sendFiles(details: NoteEdit) {
    if (files.length === 0) {
      setRefusals([noFile])
      showError(noFile)
      picker.current?.focus()
      return
    }
    setRefusals([])
    upload.send({ details, files })
  }

  const submit = form.handleSubmit(sendFiles, (invalid) => {
    if (files.length === 0) setRefusals([noFile])
    const first = Object.values(invalid).find((error) => error?.message)
    if (first?.message) showError(first.message)
  })

  return (
    <div className="page upload-page">
      <h1 className="page-title">Upload Notes</h1>
      <p className="upload-page-intro">
        One page or a whole term: what helped you will help the next one in your course.
      </p>
      <form noValidate onSubmit={(event) => void submit(event)} className="upload-page-form">
        <div>
          <DropZone ref={picker} limits={config} isDisabled={upload.isSending} errors={refusals} onFiles={choose} />
          {files.length > 0 && (
            <FileList
              files={files}
              progress={upload.progress}
              onRemove={(file) => {
                setFiles(files.filter((kept) => kept !== file))
                setRefusals([])
              }}
            />
          )}
        </div>
        <div className="sheet upload-page-details">
          <fieldset disabled={upload.isSending} className="upload-page-fields">
            <TextField
              label="Course code"
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={courseCodeLength.max}
              required
              error={errors.courseCode?.message}
              {...form.register('courseCode')}
            />
            <SelectField
              label="Academic year"
              options={years.map((year) => ({ value: year, label: year }))}
              required
              error={errors.academicYear?.message}
              {...form.register('academicYear')}
            />
            <TextField
              label="Instructor"
              optional
              autoComplete="off"
              maxLength={instructorLength.max}
              error={errors.instructor?.message}
              {...form.register('instructor')}
            />
            <Checkbox
              label="Display Anonymously"
              hint="Others will not see your name, and author details hidden inside the PDF are removed."
              {...form.register('isAnonymous')}
            />
          </fieldset>
          {upload.problem && (
            <p
              role="alert"
              className={classes('upload-page-problem', upload.problem.kind === 'failed' && 'upload-page-failed')}
            >
              <CircleAlert aria-hidden="true" />
              {upload.problem.text}
            </p>
          )}
          <div className="upload-page-actions">
            {upload.isSending ? (
              <>
                <TotalProgress progress={upload.progress} />
                <Button variant="secondary" onClick={upload.cancel}>
                  Cancel upload
                </Button>
              </>
            ) : (
              <Button type="submit">{upload.problem ? 'Try again' : uploadLabel(files.length)}</Button>
            )}
          </div>
        </div>
      </form>
    </div>
  )
}

const uploadLabel = (count: number) => (count > 1 ? `Upload ${count} notes` : 'Upload')

function TotalProgress({ progress }: { progress: UploadProgress | null }) {
  const { loaded, total } = progress ?? { loaded: 0, total: 0 }
  const isSent = total > 0 && loaded >= total
  return (
    <div>
      <ProgressBar value={isSent || total === 0 ? null : loaded / total} label="Upload" />
      <div className="upload-page-progress">
        <p role="status">{isSent ? 'Everything is sent. Your PDFs are being checked…' : 'Sending your notes…'}</p>
        {!isSent && total > 0 && (
          <p>
            {formatBytes(loaded)} of {formatBytes(total)}
          </p>
        )}
      </div>
    </div>
  )
}
