import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { showRefusal, toastFirstMessage } from '../accounts/form-errors.ts'
import { trackActivity } from '../api/activity.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import '../ui/dialog.css'
import { PasswordField } from '../ui/PasswordField.tsx'
import { lazyRules, prepareRules } from './lazy-rules.ts'

type ConfirmDialogProps = {
  open: boolean
  onClose: () => void
  title: string
  description: ReactNode
  /** What the button says. */
  action: string
  isDangerous?: boolean
  children?: ReactNode
  /** Sends the password. What it throws is shown, and the dialog stays. */
  onConfirm: (currentPassword: string) => Promise<void>
}

/** Asks for the password before what only the account’s owner may do. */
export function ConfirmDialog({ open, onClose, title, description, children, ...act }: ConfirmDialogProps) {
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={title} description={description}>
      {children}
      <ConfirmForm {...act} onClose={onClose} />
    </Dialog>
  )
}

function ConfirmForm({
  action,
  isDangerous,
  onClose,
  onConfirm,
}: Pick<ConfirmDialogProps, 'action' | 'isDangerous' | 'onClose' | 'onConfirm'>) {
  const form = useForm({ resolver: lazyRules('passwordConfirmation'), defaultValues: { currentPassword: '' } })
  const { errors, isSubmitting } = form.formState

  const submit = form.handleSubmit(async ({ currentPassword }) => {
    try {
      await trackActivity(onConfirm(currentPassword))
      onClose()
    } catch (error) {
      showRefusal(form, error)
    }
  }, toastFirstMessage)

  return (
    <form noValidate onFocus={prepareRules} onSubmit={submit}>
      <PasswordField
        label="Your Password"
        autoComplete="current-password"
        error={errors.currentPassword?.message}
        {...form.register('currentPassword')}
      />
      <div className="dialog-footer">
        <Button variant="secondary" disabled={isSubmitting} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" variant={isDangerous ? 'danger' : 'primary'} busy={isSubmitting}>
          {action}
        </Button>
      </div>
    </form>
  )
}
