import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { updateInstanceSettings } from '../../../packages/contract/instance-settings.endpoints.ts'
import type { HouseSettings } from '../../../packages/contract/instance-settings.ts'
import { limitForm } from '../../../packages/contract/members.ts'
import { api } from '../../platform/api/client.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { Stack } from '../../platform/ui/layout.tsx'
import { TextField } from '../../platform/ui/TextField.tsx'
import { toastFirstMessage } from '../auth/form-errors.ts'
import { useAdminChange } from './use-admin-mutation.ts'

const asTyped = (limit: number | null) => ({ dailyUploadMb: String(limit ?? '') })

export function UploadsForm({
  dailyUploadMb,
  maxDailyUploadMb,
}: Pick<HouseSettings, 'dailyUploadMb' | 'maxDailyUploadMb'>) {
  const form = useForm({ resolver: zodResolver(limitForm(maxDailyUploadMb)), values: asTyped(dailyUploadMb) })
  const { errors } = form.formState
  const changing = useAdminChange(
    (change: { dailyUploadMb: number | null }) => api.call(updateInstanceSettings, { body: change }),
    () => 'The limit was changed.',
  )

  const submit = form.handleSubmit(
    (change) => changing.mutate(change, { onSuccess: (set) => form.reset(asTyped(set.dailyUploadMb)) }),
    toastFirstMessage,
  )

  return (
    <Stack as="form" gap={1.125} align="flex-start" noValidate onSubmit={(event) => void submit(event)}>
      <TextField
        label="MB in 24 hours"
        hint={`Empty: ${maxDailyUploadMb} MB.`}
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
