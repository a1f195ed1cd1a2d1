import type { ComponentProps, ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { type NewNoteSuspension, suspensionForm } from '../../../packages/contract/members.ts'
import { statementLength } from '../../../packages/contract/moderation-limits.ts'
import { useAction } from '../../platform/session/use-action.ts'
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
  'title' | 'description' | 'open' | 'onClose' | 'finalFocus'
> & {
  send: (grounds: NewNoteSuspension) => Promise<unknown>
  /** The message after the suspension. */
  done: string
  children?: ReactNode
}

export function SuspensionDialog({ send, done, children, ...dialog }: SuspensionDialogProps) {
  const defaultValues = { days: '7', reason: '' }
  const suspending = useAction(send, () => done)
  const { form, submit, field } = useApiForm(suspensionForm, defaultValues, async (grounds) =>
    suspending.mutate(grounds, { onSuccess: dialog.onClose }),
  )
  const reason = useWatch({ control: form.control, name: 'reason' })

  return (
    <FormDialog {...dialog} action="Suspend" isDangerous busy={suspending.isPending} onSubmit={() => void submit()}>
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
