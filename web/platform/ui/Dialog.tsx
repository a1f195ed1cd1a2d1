import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import type { ReactNode, RefObject } from 'react'
import { IconButton } from './Button.tsx'
import './dialog.css'
import type { OpenDialog } from './use-dialog.ts'

type DialogProps = OpenDialog & {
  title: ReactNode
  description?: ReactNode
  children?: ReactNode
  /** The buttons, with the main button last. */
  footer?: ReactNode
  /**
   * Where the focus starts; `true`, like the default, is the first focusable element. On touch it should not be a
   * field, which would open the keyboard.
   */
  initialFocus?: RefObject<HTMLElement | null> | ((openedBy: string) => HTMLElement | null | true)
  /** Where the focus goes on closing; `true`, the default, is the element that opened the dialog. */
  finalFocus?: () => HTMLElement | true
}

/** A modal: it traps the focus, restores it on closing, and closes on Esc and on an outside click. */
export function Dialog({ open, onClose, title, description, children, footer, ...focus }: DialogProps) {
  return (
    <BaseDialog.Root open={open} onOpenChange={(next) => next || onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="dialog-backdrop" />
        <BaseDialog.Viewport className="dialog-viewport">
          <BaseDialog.Popup className="dialog" {...focus}>
            <div className="dialog-head">
              <BaseDialog.Title className="dialog-title">{title}</BaseDialog.Title>
              <BaseDialog.Close render={<IconButton icon="x" label="Close" className="dialog-close" />} />
            </div>
            {description && (
              <BaseDialog.Description className="dialog-description">{description}</BaseDialog.Description>
            )}
            {children && <div className="dialog-body">{children}</div>}
            {footer && <div className="dialog-footer">{footer}</div>}
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}
