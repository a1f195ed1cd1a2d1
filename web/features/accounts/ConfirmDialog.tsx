import { type ReactNode, useRef } from 'react'
import { passwordConfirmation } from '../../../packages/contract/accounts.ts'
import { headingOf } from '../../platform/ui/browser.ts'
import { FormDialog, type OpenDialog } from '../../platform/ui/Dialog.tsx'
import { PasswordField } from '../../platform/ui/fields.tsx'
import { useApiForm } from '../auth/use-api-form.tsx'

type ConfirmDialogProps = OpenDialog & {
  title: ReactNode
  description: ReactNode
  action: string
  isDangerous?: boolean
  /** Sends the password. An error that it throws is shown, and the dialog stays open. */
  onConfirm: (currentPassword: string) => Promise<void>
  /** The section that gets the focus after success, when the element that opened the dialog is removed. */
  focusAfterConfirm?: string
}

/** Asks for the password before an action that only the account’s owner may take. */
export function ConfirmDialog({ onClose, focusAfterConfirm, onConfirm, ...dialog }: ConfirmDialogProps) {
  const isDone = useRef(false)
  const defaultValues = { currentPassword: '' }
  const { submit, field, isSubmitting } = useApiForm(passwordConfirmation, defaultValues, async (typed) => {
    await onConfirm(typed.currentPassword)
    isDone.current = true
    onClose()
  })

  return (
    <FormDialog
      {...dialog}
      onClose={onClose}
      finalFocus={() => (isDone.current && focusAfterConfirm ? (headingOf(focusAfterConfirm) ?? true) : true)}
      busy={isSubmitting}
      onSubmit={() => void submit()}
    >
      <PasswordField label="Password" autoComplete="current-password" {...field('currentPassword')} />
    </FormDialog>
  )
}
