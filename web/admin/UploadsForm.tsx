import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { updateInstanceSettings } from '../../contract/house.endpoints.ts'
import type { HouseSettings } from '../../contract/house.ts'
import { limitForm } from '../../contract/members.ts'
import { toastFirstMessage } from '../accounts/form-errors.ts'
import { api } from '../api/client.ts'
import { Button } from '../ui/Button.tsx'
import { Stack } from '../ui/layout.tsx'
import { TextField } from '../ui/TextField.tsx'
import { useAdminChange } from './use-admin-change.ts'

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
