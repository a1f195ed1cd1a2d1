import { setDigestFrequency } from '../../../packages/contract/courses.endpoints.ts'
import { type DigestFrequency, digestFrequencies } from '../../../packages/contract/courses.ts'
import { choose } from '../../platform/api/choose.ts'
import { api, getErrorMessage } from '../../platform/api/client.ts'
import { queryClient } from '../../platform/api/query-client.ts'
import { showErrorToast } from '../../platform/session/show-error-toast.ts'
import { Stack } from '../../platform/ui/layout.tsx'
import { SelectField } from '../../platform/ui/SelectField.tsx'
import { showSuccess } from '../../platform/ui/toast.ts'
import { followedQuery } from './course-queries.ts'

const labels: Record<DigestFrequency, string> = { none: 'Never', daily: 'Daily', weekly: 'Weekly' }
const said: Record<DigestFrequency, string> = {
  none: 'Course emails turned off.',
  daily: 'You’ll get a daily email when there are new notes.',
  weekly: 'You’ll get an email on Mondays when there are new notes.',
}

/** Sets how often the user gets a digest. The choice is shown immediately and reverted on failure. */
export function EmailFrequencyField({ mails }: { mails: DigestFrequency }) {
  const change = (choice: DigestFrequency) =>
    void choose('mails', choice, {
      before: mails,
      show,
      send: (mails) => api.call(setDigestFrequency, { body: { mails } }),
      onKept: (kept) => showSuccess(said[kept]),
      onFailed: (failure) =>
        showErrorToast(failure, getErrorMessage(failure, 'Failed to save your choice. Please try again later.')),
    })
  return (
    <Stack maxWidth={16} top={0.375}>
      <SelectField
        label="Email me about new notes"
        options={digestFrequencies.map((value) => ({ value, label: labels[value] }))}
        value={mails}
        onChange={({ target: { value } }) => {
          const choice = digestFrequencies.find((one) => one === value)
          if (choice) change(choice)
        }}
      />
    </Stack>
  )
}

const show = (mails: DigestFrequency): void =>
  void queryClient.setQueryData(followedQuery.queryKey, (cached) => cached && { ...cached, mails })
