import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from 'react'
import { Button, isRepeated } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { Stack } from './layout.tsx'

type FormDialogProps = Omit<ComponentProps<typeof Dialog>, 'footer'> & {
  action: string
  isDangerous?: boolean
  /** While true, the fields are disabled and the dialog stays open. */
  busy: boolean
  onSubmit: () => void
  children: ReactNode
}

/** Cancel closes it at once. Esc, the cross and an outside click, which may be accidents, ask before they discard input. */
export function FormDialog(props: FormDialogProps) {
  const { action, isDangerous, busy, onSubmit, open, onClose, children, ...rest } = props
  const formId = useId()
  const fields = useRef<HTMLFieldSetElement>(null)
  const cancel = useRef<HTMLButtonElement>(null)
  const hasInput = useRef(false)
  useEffect(() => {
    if (open) hasInput.current = false
  }, [open])
  useEffect(() => {
    // Disabled fields cannot take the focus, so the first invalid one gets it after the response.
    if (!busy) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [busy])
  return (
    <Dialog
      initialFocus={(openedBy) => firstFocus(openedBy, fields.current) ?? cancel.current}
      {...{ ...rest, open }}
      onClose={() => {
        if (!busy && (!hasInput.current || confirm('Discard your changes?'))) onClose()
      }}
      footer={
        <>
          <Button ref={cancel} variant="secondary" disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={formId}
            variant={isDangerous ? 'danger' : 'primary'}
            busy={busy}
            // The second click of a double click may come before `busy`.
            onClick={(event) => isRepeated(event) && event.preventDefault()}
          >
            {action}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        onInput={({ target }) => {
          if (!(target as Element).matches('[autocomplete="current-password"]')) hasInput.current = true
        }}
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
      >
        <Stack as="fieldset" ref={fields} disabled={busy}>
          {children}
        </Stack>
      </form>
    </Dialog>
  )
}

/** For `initialFocus` of a dialog with fields; null if there are none. */
function firstFocus(openedBy: string, fields: HTMLElement | null): HTMLElement | true | null {
  const first = fields?.querySelector<HTMLElement>('input, select, textarea') ?? null
  return first && openedBy === 'touch' ? true : first
}
