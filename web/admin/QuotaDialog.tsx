import { useState } from 'react'
import { changeQuota } from '../../contract/members.endpoints.ts'
import { api } from '../api/client.ts'
import { FormDialog } from '../ui/FormDialog.tsx'
import { TextField } from '../ui/TextField.tsx'
import { notMegabytes, readMegabytes } from './megabytes.ts'
import type { MemberDialogProps } from './RoleDialog.tsx'
import { useAdminChange } from './use-admin-change.ts'

export function QuotaDialog({ member, open, onClose }: MemberDialogProps) {
  const [typed, setTyped] = useState(String(member.dailyUploadMb ?? ''))
  const [error, setError] = useState<string | undefined>()
  const changing = useAdminChange(
    (dailyUploadMb: number | null) => api.call(changeQuota, { params: { id: member._id }, body: { dailyUploadMb } }),
    () => `The limit of ${member.name} was changed.`,
  )

  function submit() {
    const dailyUploadMb = readMegabytes(typed)
    if (dailyUploadMb === undefined) setError(notMegabytes)
    else changing.mutate(dailyUploadMb, { onSuccess: onClose })
  }

  return (
    <FormDialog
      open={open}
      onOpenChange={onClose}
      title={`Uploads of ${member.name}`}
      description="What this student may upload in 24 hours. It counts from their next upload on."
      action="Change limit"
      busy={changing.isPending}
      onSubmit={submit}
    >
      <TextField
        label="MB in 24 hours"
        hint="Empty: as everybody."
        inputMode="numeric"
        autoComplete="off"
        value={typed}
        error={error}
        onChange={({ target }) => {
          setTyped(target.value)
          setError(undefined)
        }}
      />
    </FormDialog>
  )
}
