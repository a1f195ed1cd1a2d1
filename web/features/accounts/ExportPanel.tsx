import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getExport, requestExport } from '../../../packages/contract/settings.endpoints.ts'
import { trackPending } from '../../platform/api/activity.ts'
import { api, getErrorMessage } from '../../platform/api/client.ts'
import { queryClient } from '../../platform/api/query-client.ts'
import { showErrorToast } from '../../platform/session/show-error-toast.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { ErrorState } from '../../platform/ui/ErrorState.tsx'
import { focusHeading } from '../../platform/ui/focus-heading.ts'
import { Icon } from '../../platform/ui/Icon.tsx'
import { Stack } from '../../platform/ui/layout.tsx'
import { showSuccess } from '../../platform/ui/toast.ts'
import { Alert } from '../auth/Alert.tsx'
import { genericError } from '../auth/form-errors.ts'
import { formatMoment } from '../notes/format.ts'
import { formatBytes } from '../notes/format-bytes.ts'
import { saveFrom } from '../notes/open-file/save-file.ts'
import { exportQuery } from './settings-queries.ts'

const fileName = 'lectern.zip'

/** Requests a data export, which a job creates, and downloads it. */
export function ExportPanel() {
  const query = useQuery({ ...exportQuery, refetchInterval: ({ state }) => waitingMs(state.data) })
  const { data: found } = query
  const [busy, setBusy] = useState<'asking' | 'fetching' | null>(null)

  async function act(what: 'asking' | 'fetching', work: () => Promise<void>) {
    setBusy(what)
    await work().catch((error) => showErrorToast(error, getErrorMessage(error, genericError)))
    setBusy(null)
  }
  const ask = () =>
    act('asking', async () => {
      const answer = await trackPending(api.call(requestExport))
      queryClient.setQueryData(exportQuery.queryKey, answer.export)
      focusHeading('export')
      showSuccess('We’re preparing your export. We’ll email you when it’s ready.')
    })
  /** The browser downloads the file itself, so that it shows progress and can resume. */
  const save = () =>
    act('fetching', async () => {
      const { export: found } = await api.call(getExport)
      queryClient.setQueryData(exportQuery.queryKey, found)
      if (found?.ready) saveFrom(found.ready.link, fileName)
    })

  if (query.isLoadingError) return <ErrorState title="There was an error fetching your export." query={query} />
  return (
    <Stack gap={0.875} align="flex-start">
      {found?.ready && (
        <>
          <p>
            {fileName}, {formatBytes(found.ready.bytes)}. Available until {formatMoment(found.ready.expiresAt)}.
          </p>
          <Button icon={<Icon name="download" />} busy={busy === 'fetching'} onClick={() => void save()}>
            Download export
          </Button>
        </>
      )}
      {found && !found.ready && (
        <Alert kind="mail">
          We’re preparing your export and will email you when it’s ready. You can leave this page.
        </Alert>
      )}
      {(!found || found.ready) && (
        <Button variant="secondary" busy={busy === 'asking'} onClick={() => void ask()}>
          {found ? 'Create new export' : 'Create export'}
        </Button>
      )}
    </Stack>
  )
}

const waitingMs = (found: { ready: unknown } | null | undefined) => (found && !found.ready ? 5_000 : false)
