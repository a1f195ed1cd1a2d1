import { useEffect, useRef } from 'react'
import { Stack } from '../../platform/ui/layout.tsx'
import { Alert } from '../auth/Alert.tsx'
import { countOf } from '../notes/format.ts'
import { type UploadItem, useUploadQueue } from './upload-queue.ts'

/** Summarises the last upload unless every note was shared. It takes the focus when it appears. */
export function UploadSummary() {
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
