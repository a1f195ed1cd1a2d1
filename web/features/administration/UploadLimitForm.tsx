import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { updateInstanceSettings } from '../../../packages/contract/instance-settings.endpoints.ts'
import type { InstanceSettings } from '../../../packages/contract/instance-settings.ts'
import { quotaForm } from '../../../packages/contract/members.ts'
import { api } from '../../platform/api/client.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { Stack } from '../../platform/ui/layout.tsx'
import { TextField } from '../../platform/ui/TextField.tsx'
import { toastFirstError } from '../auth/form-errors.ts'
import { useAdminMutation } from './use-admin-mutation.ts'

const toFormValues = (limit: number | null) => ({ dailyUploadMb: String(limit ?? '') })

export function UploadLimitForm({
  dailyUploadMb,
  maxDailyUploadMb,
}: Pick<InstanceSettings, 'dailyUploadMb' | 'maxDailyUploadMb'>) {
  const form = useForm({
    resolver: zodResolver(quotaForm(maxDailyUploadMb)),
    defaultValues: toFormValues(dailyUploadMb),
  })
  const { errors } = form.formState
  const changing = useAdminMutation(
    (change: { dailyUploadMb: number | null }) => api.call(updateInstanceSettings, { body: change }),
    () => 'Upload limit saved.',
  )

  const submit = form.handleSubmit(
    (change) => changing.mutate(change, { onSuccess: (set) => form.reset(toFormValues(set.dailyUploadMb)) }),
    toastFirstError,
  )

  return (
    <Stack as="form" gap={1.125} align="flex-start" noValidate onSubmit={(event) => void submit(event)}>
      <TextField
        label="MB per 24 hours"
        hint={`Leave empty for ${maxDailyUploadMb} MB.`}
        inputMode="numeric"
        autoComplete="off"
        error={errors.dailyUploadMb?.message}
        {...form.register('dailyUploadMb')}
      />
      <Button type="submit" variant="secondary" busy={changing.isPending}>
        Save limit
      </Button>
    </Stack>
  )
}
