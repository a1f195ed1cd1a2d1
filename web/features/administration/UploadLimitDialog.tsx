import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { changeQuota } from '../../../packages/contract/members.endpoints.ts'
import { quotaForm, uploadQuotaMax } from '../../../packages/contract/members.ts'
import { api } from '../../platform/api/client.ts'
import { FormDialog } from '../../platform/ui/FormDialog.tsx'
import { TextField } from '../../platform/ui/TextField.tsx'
import { toastFirstError } from '../auth/form-errors.ts'
import { settingsQuery } from './admin-queries.ts'
import { type MemberDialogProps, MemberSummary } from './MemberDialog.tsx'
import { useAdminMutation } from './use-admin-mutation.ts'

export function UploadLimitDialog({ member, onClose, ...dialog }: MemberDialogProps) {
  const max = useQuery(settingsQuery).data?.maxDailyUploadMb ?? uploadQuotaMax
  const form = useForm({
    resolver: zodResolver(quotaForm(max)),
    defaultValues: { dailyUploadMb: String(member.dailyUploadMb ?? '') },
  })
  const { errors } = form.formState
  const changing = useAdminMutation(
    (body: { dailyUploadMb: number | null }) => api.call(changeQuota, { params: { id: member._id }, body }),
    () => `Upload limit for ${member.name} saved.`,
  )
  const submit = form.handleSubmit((change) => changing.mutate(change, { onSuccess: onClose }), toastFirstError)

  return (
    <FormDialog
      {...dialog}
      onOpenChange={onClose}
      title={`Upload limit for ${member.name}`}
      description={
        <MemberSummary member={member}>
          How much they can upload per 24 hours. Applies from their next upload.
        </MemberSummary>
      }
      action="Save limit"
      busy={changing.isPending}
      onSubmit={() => void submit()}
    >
      <TextField
        label="MB per 24 hours"
        hint={`Up to ${max}. Leave empty for the default.`}
        inputMode="numeric"
        autoComplete="off"
        error={errors.dailyUploadMb?.message}
        {...form.register('dailyUploadMb')}
      />
    </FormDialog>
  )
}
