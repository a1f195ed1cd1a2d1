import type { ComponentProps, ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { type NewNoteSuspension, suspensionForm } from '../../../packages/contract/members.ts'
import { statementLength } from '../../../packages/contract/moderation-limits.ts'
import { FormDialog } from '../../platform/ui/Dialog.tsx'
import { SelectField, TextArea } from '../../platform/ui/fields.tsx'
import { useApiForm } from '../auth/use-api-form.tsx'

const lengths = [
  { value: '7', label: '1 week' },
  { value: '30', label: '1 month' },
  { value: '180', label: '6 months' },
  { value: '', label: 'Until lifted' },
]

type SuspensionDialogProps = Pick<
  ComponentProps<typeof FormDialog>,
  'title' | 'description' | 'open' | 'onClose' | 'finalFocus' | 'busy'
> & {
  onSubmit: (grounds: NewNoteSuspension) => void
  children?: ReactNode
}

export function SuspensionDialog({ onSubmit, children, ...dialog }: SuspensionDialogProps) {
  const defaultValues = { days: '7', reason: '' }
  const { form, submit, field } = useApiForm(suspensionForm, defaultValues, async (grounds) => onSubmit(grounds))
  const reason = useWatch({ control: form.control, name: 'reason' })

  return (
    <FormDialog {...dialog} action="Suspend" isDangerous onSubmit={() => void submit()}>
      <SelectField label="Duration" options={lengths} {...form.register('days')} />
      <TextArea
        label="Reason"
        hint="Shown to the student and to admins. Don’t name anyone."
        limit={statementLength.max}
        {...field('reason')}
        value={reason}
      />
      {children}
    </FormDialog>
  )
}
