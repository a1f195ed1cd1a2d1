import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'

type DialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  children?: ReactNode
  /** The buttons, the main one last. */
  footer?: ReactNode
  /** The name of the cross in the corner. */
  closeLabel?: string
  /** Where the focus goes afterwards; `true` stands for what opened the dialog, which is also the default. */
  finalFocus?: () => HTMLElement | true
}

/** A modal: keeps the focus inside, gives it back to what opened it, closes on Esc and on a click beside it. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  closeLabel = 'Close',
  finalFocus,
}: DialogProps) {
  return (
    <BaseDialog.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="dialog-backdrop" />
        <BaseDialog.Viewport className="dialog-viewport">
          <BaseDialog.Popup className="dialog" finalFocus={finalFocus}>
            <div className="flex items-start justify-between gap-4">
              <BaseDialog.Title className="dialog-title">{title}</BaseDialog.Title>
              <BaseDialog.Close className="btn btn-ghost btn-square -mt-2 -mr-2" aria-label={closeLabel}>
                <X aria-hidden="true" className="size-5" />
              </BaseDialog.Close>
            </div>
            {description && (
              <BaseDialog.Description className="mt-1 text-ink-soft">{description}</BaseDialog.Description>
            )}
            {children && <div className="mt-5">{children}</div>}
            {footer && <div className="dialog-footer">{footer}</div>}
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}
