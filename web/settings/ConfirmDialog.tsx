import { type ReactNode, useRef } from 'react'
import { useForm } from 'react-hook-form'
import { showRefusal, toastFirstMessage } from '../accounts/form-errors.ts'
import { trackActivity } from '../api/activity.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import '../ui/dialog.css'
import { firstFocus } from '../ui/FormDialog.tsx'
import { headingOf } from '../ui/focus-heading.ts'
import { PasswordField } from '../ui/PasswordField.tsx'
import { lazyRules, prepareRules } from './lazy-rules.ts'

type ConfirmDialogProps = {
  open: boolean
  onClose: () => void
  title: ReactNode
  description: ReactNode
  /** What the button says. */
  action: string
  isDangerous?: boolean
  children?: ReactNode
  /** Sends the password. What it throws is shown, and the dialog stays. */
  onConfirm: (currentPassword: string) => Promise<void>
  /** The section where the keyboard goes on once it is done, and what opened the dialog is gone. */
  goesOnAt?: string
}

/** Asks for the password before what only the account’s owner may do. */
export function ConfirmDialog({ open, onClose, goesOnAt, title, description, children, ...act }: ConfirmDialogProps) {
  const body = useRef<HTMLDivElement>(null)
  const isDone = useRef(false)
  function close(done: boolean) {
    isDone.current = done
    onClose()
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && close(false)}
      title={title}
      description={description}
      initialFocus={(openedBy) => firstFocus(openedBy, body.current)}
      finalFocus={() => (isDone.current && goesOnAt ? (headingOf(goesOnAt) ?? true) : true)}
    >
      <div ref={body}>
        {children}
        <ConfirmForm {...act} onDone={() => close(true)} onCancel={() => close(false)} />
      </div>
    </Dialog>
  )
}

type ConfirmFormProps = Pick<ConfirmDialogProps, 'action' | 'isDangerous' | 'onConfirm'> & {
  onDone: () => void
  onCancel: () => void
}

function ConfirmForm({ action, isDangerous, onConfirm, onDone, onCancel }: ConfirmFormProps) {
  const form = useForm({ resolver: lazyRules('passwordConfirmation'), defaultValues: { currentPassword: '' } })
  const { errors, isSubmitting } = form.formState

  const submit = form.handleSubmit(async ({ currentPassword }) => {
    try {
      await trackActivity(onConfirm(currentPassword))
      onDone()
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
        <Button variant="secondary" disabled={isSubmitting} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" variant={isDangerous ? 'danger' : 'primary'} busy={isSubmitting}>
          {action}
        </Button>
      </div>
    </form>
  )
}
