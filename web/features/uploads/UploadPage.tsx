import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useLoaderData } from 'react-router'
import { errorMessage } from '../../../packages/contract/errors.ts'
import { noteEdit } from '../../../packages/contract/notes.ts'
import { ensureClientConfig, useAcademicYears, useClientConfig } from '../../platform/api/config.ts'
import { useNavigationBlocker } from '../../platform/layout/use-navigation-blocker.ts'
import { session } from '../../platform/session/store.ts'
import { showError } from '../../platform/ui/toast.ts'
import { AnonymousField, FormDetails } from '../notes/DetailFields.tsx'
import { detailsOf, properties } from '../notes/properties.ts'
import { analyzeFiles } from './analyze-files.ts'
import { DropZone } from './DropZone.tsx'
import { listSome } from './format-list.ts'
import { restoreUploads } from './kept-uploads.ts'
import { RestoredFiles } from './RestoredFiles.tsx'
import { UploadActions } from './UploadActions.tsx'
import { UploadItemRow } from './UploadItemRow.tsx'
import { UploadSummary } from './UploadSummary.tsx'
import { isInProgress, isUnrecoverable, isUnsent, tray, type UploadDetails, useUploadQueue } from './upload-queue.ts'
import './upload-page.css'
import { Stack, Text } from '../../platform/ui/layout.tsx'
import { useUpload } from './use-upload.ts'

export async function loader(): Promise<string> {
  const [courseCode] = await Promise.all([restoreUploads(), ensureClientConfig()])
  return courseCode ?? ''
}

/** A user who chose twenty files needs the names of ten missing ones, but not those of a whole disk. */
const maxLeftOutNamed = 50
const noFile = errorMessage('upload_without_file')

/** SPEC.md sections 2 and 5, "Upload". */
export function Component() {
  const config = useClientConfig()
  const rows = useUploadQueue((state) => state.rows)
  const [refusals, setRefusals] = useState<string[]>([])
  const picker = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const [currentYear = ''] = useAcademicYears()
  const courseCode = useLoaderData<string>()
  const blank: UploadDetails = { ...detailsOf({ academicYear: currentYear }), isAnonymous: false }
  const form = useForm({
    resolver: zodResolver(noteEdit),
    defaultValues: tray.getState().details ?? { ...blank, courseCode },
  })
  const share = useUpload(() => form.reset(blank))
  const isSending = rows.some(isInProgress)

  useEffect(analyzeFiles, [])
  useEffect(() => {
    const keep = () => tray.keepDetails(form.getValues() as UploadDetails)
    keep()
    return form.subscribe({ formState: { values: true }, callback: keep })
  }, [form])
  // Shared items are not shown again on the next visit.
  useEffect(() => () => tray.remove((row) => !isUnsent(row)), [])
  useNavigationBlocker(
    () => tray.getState().rows.some(isInProgress) && session.getState().user !== null,
    'Your upload is still in progress. Cancel it before leaving this page.',
  )

  function choose(files: File[]) {
    const { refusals: reasons, rejectedFiles } = tray.add(files, config)
    setRefusals(
      rejectedFiles.length > 0 ? [...reasons, `Not added: ${listSome(rejectedFiles, maxLeftOutNamed)}.`] : reasons,
    )
    for (const reason of reasons) showError(reason)
  }

  const submit = (ids: string[]) =>
    form.handleSubmit(
      async (details) => {
        setRefusals(ids.length === 0 ? [noFile] : [])
        if (ids.length === 0) {
          showError(noFile)
          picker.current?.focus()
        } else if (!(await share(ids, details))) {
          list.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
        }
      },
      (invalid) => {
        if (ids.length === 0) setRefusals([noFile])
        const first = Object.values(invalid).find((error) => error?.message)
        if (first?.message) showError(first.message)
      },
    )

  return (
    <Stack gap={0.5} maxWidth={72} className="page">
      <h1 className="page-title">Upload Notes</h1>
      <Text tone="soft" maxWidth="65ch">
        Share your notes with other students in your course.
      </Text>
      <form
        noValidate
        onSubmit={(event) =>
          void submit(
            tray
              .getState()
              .rows.filter((row) => isUnsent(row) && !isUnrecoverable(row))
              .map((row) => row.id),
          )(event)
        }
        className="upload-page-form"
      >
        <div>
          <DropZone
            ref={picker}
            limits={config}
            isDisabled={isSending}
            isSmall={rows.length > 0}
            errors={refusals}
            onFiles={choose}
          />
          <RestoredFiles />
          {rows.length > 0 && (
            <Stack as="ul" gap={0.75} top={1} ref={list} aria-label="Selected files">
              {rows.map((row) => (
                <UploadItemRow key={row.id} row={row} onShare={(id) => void submit([id])()} />
              ))}
            </Stack>
          )}
        </div>
        <div className="sheet sheet-tight">
          <Stack as="fieldset" disabled={isSending}>
            <FormDetails control={form.control} more={(name) => ({ required: properties[name].isRequired })} />
            <AnonymousField {...form.register('isAnonymous')} />
          </Stack>
          <UploadSummary />
          <UploadActions />
        </div>
      </form>
    </Stack>
  )
}
