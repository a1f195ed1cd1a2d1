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
import { ProgressBar } from '../ui/ProgressBar.tsx'
import { SelectField } from '../ui/SelectField.tsx'
import { TextField } from '../ui/TextField.tsx'
import { showError } from '../ui/toast.ts'
import { addFiles } from './chosen-files.ts'
import { DropZone } from './DropZone.tsx'
import { FileList } from './FileList.tsx'
import { formatBytes } from './format-bytes.ts'
import './upload.css'
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
    <div className="page max-w-6xl">
      <h1 className="page-title">Upload Notes</h1>
      <p className="mt-2 max-w-prose text-ink-soft">
        One page or a whole term: what helped you will help the next one in your course.
      </p>
      <form
        noValidate
        onSubmit={(event) => void submit(event)}
        className="mt-6 grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]"
      >
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
        <div className="sheet p-5 sm:p-6">
          <fieldset disabled={upload.isSending} className="grid gap-4">
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
            <p role="alert" className={`upload-problem upload-${upload.problem.kind}`}>
              <CircleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
              {upload.problem.text}
            </p>
          )}
          <div className="mt-5 grid gap-3">
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
      <p className="mt-2 text-ink-soft text-sm tabular-nums" role="status">
        {isSent ? 'Everything is sent. Your PDFs are being checked…' : 'Sending your notes…'}
      </p>
      {!isSent && total > 0 && (
        <p className="text-ink-soft text-sm tabular-nums">
          {formatBytes(loaded)} of {formatBytes(total)}
        </p>
      )}
    </div>
  )
}
