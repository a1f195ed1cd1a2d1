import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { type ComponentProps, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { useBlocker } from 'react-router'
import { Button, IconButton } from './Button.tsx'
import { isTouch } from './browser.ts'
import { Stack } from './layout.tsx'
import './dialog.css'

/** The state of a dialog, as `useDialog` has it. */
export type OpenDialog = { open: boolean; onClose: () => void }

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
  initialFocus?: RefObject<HTMLElement | null> | (() => HTMLElement | null | true)
  /** Where the focus goes on closing; `true`, the default, is the element that opened the dialog. */
  finalFocus?: () => HTMLElement | true
}

/** A modal: it traps the focus, restores it on closing, and closes on Esc and on an outside click. */
export const Dialog = ({ open, onClose, title, description, children, footer, ...focus }: DialogProps) => (
  <BaseDialog.Root open={open} onOpenChange={(next) => next || onClose()}>
    <BaseDialog.Portal>
      <BaseDialog.Backdrop className="dialog-backdrop" />
      <BaseDialog.Viewport className="dialog-viewport">
        <BaseDialog.Popup className="popup dialog" {...focus}>
          <div className="dialog-head">
            <BaseDialog.Title dir="auto" className="text dialog-title">
              {title}
            </BaseDialog.Title>
            <BaseDialog.Close render={<IconButton icon="x" label="Close" className="dialog-close" />} />
          </div>
          {description && (
            <BaseDialog.Description dir="auto" className="text text-soft dialog-description">
              {description}
            </BaseDialog.Description>
          )}
          {children && <div className="dialog-body">{children}</div>}
          {footer && <div className="dialog-footer">{footer}</div>}
        </BaseDialog.Popup>
      </BaseDialog.Viewport>
    </BaseDialog.Portal>
  </BaseDialog.Root>
)

const mayDiscard = () => confirm('Discard your changes?')

/**
 * What a dialog would lose. Esc, the cross, an outside click and the Back button, which may be accidents, ask before they
 * discard it.
 */
export function useDialogInput() {
  const [hasInput, setHasInput] = useState(false)
  return {
    hasInput,
    onType: () => setHasInput(true),
    onDiscard: () => setHasInput(false),
    mayClose: () => !hasInput || mayDiscard(),
  }
}

type DialogInput = ReturnType<typeof useDialogInput>
type DialogFormProps = { id: string; input: DialogInput; onSubmit: () => void; children: ReactNode }

export const DialogForm = ({ id, input, onSubmit, children }: DialogFormProps) => (
  <form
    id={id}
    noValidate
    onInput={({ target }) => {
      // A password alone is typed again quickly.
      if (!(target as Element).matches('[autocomplete="current-password"]')) input.onType()
    }}
    onSubmit={(event) => {
      event.preventDefault()
      onSubmit()
    }}
  >
    {input.hasInput && <AskOnBack onDiscard={input.onDiscard} />}
    {children}
  </form>
)

type FormDialogProps = Omit<ComponentProps<typeof Dialog>, 'footer'> & {
  action: string
  isDangerous?: boolean
  /** While true, the fields are disabled and the dialog stays open. */
  busy: boolean
  onSubmit: () => void
}

/** Cancel closes it at once; other ways to close it ask before they discard input. */
export function FormDialog(props: FormDialogProps) {
  const { action, isDangerous, busy, onSubmit, open, onClose, children, ...rest } = props
  const formId = useId()
  const fields = useRef<HTMLFieldSetElement>(null)
  const cancel = useRef<HTMLButtonElement>(null)
  const input = useDialogInput()
  useEffect(() => {
    // Disabled fields cannot take the focus, so the first invalid one gets it after the response.
    if (!busy) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [busy])
  return (
    <Dialog
      initialFocus={() => firstFocus(fields.current) ?? cancel.current}
      {...{ ...rest, open }}
      onClose={() => {
        if (!busy && input.mayClose()) onClose()
      }}
      footer={
        <>
          <Button ref={cancel} disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} variant={isDangerous ? 'danger' : 'primary'} busy={busy}>
            {action}
          </Button>
        </>
      }
    >
      <DialogForm {...{ input, onSubmit }} id={formId}>
        <Stack as="fieldset" ref={fields} disabled={busy}>
          {children}
        </Stack>
      </DialogForm>
    </Dialog>
  )
}

/** Exists only while the dialog has input, because a router asks only its newest blocker, and the page may have one. */
function AskOnBack({ onDiscard }: { onDiscard: () => void }) {
  const blocker = useBlocker(({ historyAction }) => historyAction === 'POP')
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    if (!mayDiscard()) return blocker.reset()
    // The router goes back when this blocker no longer exists, and then asks the page's own.
    onDiscard()
    blocker.proceed()
  }, [blocker, onDiscard])
  return null
}

/** For `initialFocus` of a dialog with fields; null if there are none. */
function firstFocus(fields: HTMLElement | null): HTMLElement | true | null {
  const first = fields?.querySelector<HTMLElement>('input, select, textarea') ?? null
  return first && isTouch() ? true : first
}
