import { useEffect, useRef } from 'react'
import * as paths from '../paths.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { cancelAll } from './share-rows.ts'
import { TrayProgress } from './TrayProgress.tsx'
import './tray-actions.css'
import { isUnderWay, isUnsent, type Row, useTray } from './tray.ts'

/** The one button of the tray: send, break off, or go where the notes are. */
export function TrayActions() {
  const rows = useTray((state) => state.rows)
  const isSending = rows.some(isUnderWay)
  const cancel = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // The button that was pressed is gone: the focus stays in its place.
    if (isSending && document.activeElement === document.body) cancel.current?.focus()
  }, [isSending])
  return <div className="tray-actions">{content()}</div>

  function content() {
    if (isSending) {
      return (
        <>
          <TrayProgress />
          <Button ref={cancel} variant="secondary" onClick={cancelAll}>
            Cancel upload
          </Button>
        </>
      )
    }
    const unsent = rows.filter(isUnsent)
    if (rows.length > 0 && unsent.length === 0) return <ButtonLink to={paths.myNotes()}>See my notes</ButtonLink>
    return <Button type="submit">{submitLabel(unsent)}</Button>
  }
}

function submitLabel(unsent: Row[]): string {
  if (unsent.length > 0 && unsent.every(({ sending }) => sending.kind !== 'ready')) return 'Try again'
  return unsent.length > 1 ? `Upload ${unsent.length} notes` : 'Upload'
}
