import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useLoaderData } from 'react-router'
import { errorMessage } from '../../../packages/contract/errors.ts'
import { noteEdit } from '../../../packages/contract/notes.ts'
import { ensureClientConfig, useAcademicYears, useClientConfig } from '../../platform/api/config.ts'
import { useNavigationBlocker } from '../../platform/layout/unsaved.ts'
import * as paths from '../../platform/paths.ts'
import { session } from '../../platform/session/store.ts'
import { Button, ButtonLink } from '../../platform/ui/Button.tsx'
import { focusHeading } from '../../platform/ui/browser.ts'
import { ProgressBar } from '../../platform/ui/Loading.tsx'
import { Grid, Row, Stack, Text } from '../../platform/ui/layout.tsx'
import { showError } from '../../platform/ui/toast.ts'
import { Alert } from '../auth/Alert.tsx'
import { AnonymousField, FormDetails } from '../notes/DetailFields.tsx'
import { countOf, formatBytes } from '../notes/format.ts'
import { detailsOf, properties } from '../notes/properties.ts'
import { analyzeFiles } from './analyze-files.ts'
import { DropZone } from './DropZone.tsx'
import { listSome } from './format-list.ts'
import { restoreUploads } from './kept-uploads.ts'
import { UploadItemRow } from './UploadItemRow.tsx'
import { cancelAll } from './upload-items.ts'
import {
  isInProgress,
  isSendable,
  isUnsent,
  readProgress,
  type UploadDetails,
  type UploadItem,
  uploadQueue,
  useUploadQueue,
} from './upload-queue.ts'
import { useUpload } from './use-upload.ts'
import './upload-page.css'

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
    defaultValues: uploadQueue.getState().details ?? { ...blank, courseCode },
  })
  const share = useUpload(() => form.reset(blank))
  const isSending = rows.some(isInProgress)

  useEffect(analyzeFiles, [])
  useEffect(() => {
    const keep = () => uploadQueue.keepDetails(form.getValues() as UploadDetails)
    keep()
    return form.subscribe({ formState: { values: true }, callback: keep })
  }, [form])
  // Shared items are not shown again on the next visit.
  useEffect(() => () => uploadQueue.remove((row) => !isUnsent(row)), [])
  useNavigationBlocker(
    () => uploadQueue.getState().rows.some(isInProgress) && session.getState().user !== null,
    'Your upload is still in progress. Cancel it before leaving this page.',
  )

  function choose(files: File[]) {
    const { refusals: reasons, rejectedFiles } = uploadQueue.add(files, config)
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
        onSubmit={(event) => void submit(rows.filter(isSendable).map((row) => row.id))(event)}
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

function RestoredFiles() {
  const [before] = useState(() => new Set(uploadQueue.getState().rows.map(({ id }) => id)))
  const rows = useUploadQueue((state) => state.rows).filter((row) => before.has(row.id) && isUnsent(row))
  if (rows.length === 0 || rows.some(isInProgress)) return null
  const files = countOf(rows.length, 'file')
  function discard() {
    if (!confirm(`Discard ${files}?`)) return
    uploadQueue.remove((row) => rows.includes(row))
    focusHeading()
  }
  return (
    <Row gap={0.5} top={1} justify="space-between">
      <Text>{files} from before</Text>
      <Button variant="ghost" size="small" onClick={discard}>
        Discard
      </Button>
    </Row>
  )
}

/** Summarises the last upload unless every note was shared. It takes the focus when it appears. */
function UploadSummary() {
  const rows = useUploadQueue((state) => state.rows)
  const text = summarise(rows)
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (text !== null) ref.current?.focus()
  }, [text])
  if (text === null) return null
  const hasFailed = rows.some(({ sending }) => sending.kind === 'failed')
  return (
    <Stack top={1}>
      <Alert ref={ref} tabIndex={-1} role="alert" kind={hasFailed ? 'error' : 'result'}>
        {text}
      </Alert>
    </Stack>
  )
}

/** Returns null before the first attempt and while items are still in progress. */
function summarise(rows: Pick<UploadItem, 'sending'>[]): string | null {
  const count = (kind: UploadItem['sending']['kind']) => rows.filter(({ sending }) => sending.kind === kind).length
  const [shared, failed, held, cancelled] = [count('shared'), count('failed'), count('held'), count('cancelled')]
  const reasons = new Set(rows.flatMap(({ sending }) => (sending.kind === 'failed' ? [sending.reason] : [])))
  if (failed + held + cancelled === 0 || count('waiting') + count('sending') > 0) return null
  if (shared + failed + held === 0) return 'Upload cancelled. Your files are still here.'
  return [
    `${shared} of ${countOf(rows.length, 'note')} uploaded.`,
    reasons.size === 1 ? [...reasons][0] : failed > 0 && `${failed} failed. See each file for details.`,
    held > 0 && `${held} ${held === 1 ? 'needs' : 'need'} your attention.`,
    cancelled > 0 && `${cancelled} cancelled.`,
  ]
    .filter(Boolean)
    .join(' ')
}

function UploadActions() {
  const rows = useUploadQueue((state) => state.rows)
  const isSending = rows.some(isInProgress)
  const cancel = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // The pressed button has disappeared, so the focus moves to the button in its place.
    if (isSending && document.activeElement === document.body) cancel.current?.focus()
  }, [isSending])
  return (
    <Grid gap={0.75} top={1.25}>
      {content()}
    </Grid>
  )

  function content() {
    if (isSending) {
      return (
        <>
          <UploadProgress />
          <Button ref={cancel} onClick={cancelAll}>
            Cancel upload
          </Button>
        </>
      )
    }
    const unsent = rows.filter(isSendable)
    const isDone = unsent.length === 0 && rows.length > 0
    const hasShared = rows.some((row) => !isUnsent(row))
    return (
      <>
        {!(isDone && hasShared) && <Button type="submit">{submitLabel(unsent)}</Button>}
        {hasShared && (
          <ButtonLink to={paths.myNotes()} variant={isDone ? 'primary' : 'secondary'}>
            Go to My Notes
          </ButtonLink>
        )}
      </>
    )
  }
}

function submitLabel(unsent: UploadItem[]): string {
  if (unsent.length > 0 && unsent.every(({ sending }) => sending.kind !== 'ready')) return 'Try again'
  return unsent.length > 1 ? `Upload ${unsent.length} notes` : 'Upload'
}

function UploadProgress() {
  const rows = useUploadQueue((state) => state.rows).filter((row) => isInProgress(row) || row.sending.kind === 'shared')
  const { bytes, sent, isChecking } = readProgress(rows)
  const isSent = sent >= bytes
  return (
    <div>
      <ProgressBar value={isSent ? null : sent / bytes} label="Upload" />
      <Text as="div" tone="soft" size="small" top={0.5} isCount>
        <p role="status">{isSent || isChecking ? 'Checking…' : 'Uploading your notes…'}</p>
        {!isSent && (
          <p>
            {formatBytes(sent)} of {formatBytes(bytes)}
          </p>
        )}
      </Text>
    </div>
  )
}
