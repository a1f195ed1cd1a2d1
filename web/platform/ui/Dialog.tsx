import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import type { ReactNode, RefObject } from 'react'
import { Button } from './Button.tsx'
import { Icon } from './Icon.tsx'
import './dialog.css'

type DialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  children?: ReactNode
  /** The buttons, the main one last. */
  footer?: ReactNode
  /**
   * Where the focus begins, if not with the first that takes it; `true` stands for that. A field is not the place for a
   * finger, whose keyboard would come up.
   */
  initialFocus?: RefObject<HTMLElement | null> | ((openedBy: string) => HTMLElement | null | true)
  /** Where the focus goes afterwards; `true` stands for what opened the dialog, which is also the default. */
  finalFocus?: () => HTMLElement | true
}

/** A modal: keeps the focus inside, gives it back to what opened it, closes on Esc and on a click beside it. */
export function Dialog({ open, onOpenChange, title, description, children, footer, ...focus }: DialogProps) {
  return (
    <BaseDialog.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="dialog-backdrop" />
        <BaseDialog.Viewport className="dialog-viewport">
          <BaseDialog.Popup className="dialog" {...focus}>
            <div className="dialog-head">
              <BaseDialog.Title className="dialog-title">{title}</BaseDialog.Title>
              <BaseDialog.Close
                aria-label="Close"
                render={<Button variant="ghost" size="square" className="dialog-close" icon={<Icon name="x" />} />}
              />
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
