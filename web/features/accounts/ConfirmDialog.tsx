import { zodResolver } from '@hookform/resolvers/zod'
import { type ReactNode, useEffect, useRef } from 'react'
import { useForm } from 'react-hook-form'
import { passwordConfirmation } from '../../../packages/contract/settings.ts'
import { trackPending } from '../../platform/api/activity.ts'
import { FormDialog } from '../../platform/ui/FormDialog.tsx'
import { headingOf } from '../../platform/ui/focus-heading.ts'
import { PasswordField } from '../../platform/ui/PasswordField.tsx'
import { showFormError, toastFirstError } from '../auth/form-errors.ts'

type ConfirmDialogProps = {
  open: boolean
  onClose: () => void
  title: ReactNode
  description: ReactNode
  /** The label of the button. */
  action: string
  isDangerous?: boolean
  /** Sends the password. An error that it throws is shown, and the dialog stays open. */
  onConfirm: (currentPassword: string) => Promise<void>
  /** The section that gets the focus after success, when the element that opened the dialog is removed. */
  focusAfterConfirm?: string
}

/** Asks for the password before an action that only the account’s owner may take. */
export function ConfirmDialog({ open, onClose, focusAfterConfirm, onConfirm, ...dialog }: ConfirmDialogProps) {
  const form = useForm({ resolver: zodResolver(passwordConfirmation), defaultValues: { currentPassword: '' } })
  const { errors, isSubmitting } = form.formState
  const isDone = useRef(false)
  useEffect(() => {
    if (!open) return
    isDone.current = false
    form.reset()
  }, [open, form])

  const submit = () =>
    form.handleSubmit(async ({ currentPassword }) => {
      try {
        await trackPending(onConfirm(currentPassword))
        isDone.current = true
        onClose()
      } catch (error) {
        showFormError(form, error)
      }
    }, toastFirstError)()

  return (
    <FormDialog
      {...dialog}
      open={open}
      onOpenChange={onClose}
      finalFocus={() => (isDone.current && focusAfterConfirm ? (headingOf(focusAfterConfirm) ?? true) : true)}
      busy={isSubmitting}
      onSubmit={() => void submit()}
    >
      <PasswordField
        label="Password"
        autoComplete="current-password"
        error={errors.currentPassword?.message}
        {...form.register('currentPassword')}
      />
    </FormDialog>
  )
}
