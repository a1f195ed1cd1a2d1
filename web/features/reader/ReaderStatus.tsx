import { type FormEvent, useState } from 'react'
import type { Note } from '../../../packages/contract/notes.ts'
import { getErrorMessage } from '../../platform/api/client.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { Dialog } from '../../platform/ui/Dialog.tsx'
import { EmptyState } from '../../platform/ui/EmptyState.tsx'
import { PasswordField } from '../../platform/ui/PasswordField.tsx'
import { openNote } from '../notes/open-file/open-note.ts'
import type { DocumentLoadState } from './viewer/document-store.ts'
import './reader-status.css'

type ReaderStatusProps = { note: Note; state: DocumentLoadState; onRetry: () => void }

/** Shown instead of the pages: a skeleton, a password form or an error. */
export function ReaderStatus({ note, state, onRetry }: ReaderStatusProps) {
  if (state.kind === 'locked') return <PasswordDialog {...state} note={note} />
  if (state.kind === 'unreadable' || state.kind === 'failed') {
    return (
      <div className="reader-status">
        <EmptyState
          drawing="broken"
          title={state.kind === 'failed' ? 'Couldn’t open this note' : unreadableTitle(state.isLocked)}
          action={
            <>
              <Button variant="secondary" onClick={onRetry}>
                Try again
              </Button>
              {state.kind === 'unreadable' && (
                <Button variant="secondary" onClick={() => void openNote(note)}>
                  Open the original file
                </Button>
              )}
            </>
          }
        >
          {state.kind === 'failed'
            ? getErrorMessage(state.failure, 'Check your connection and try again.')
            : unreadableText(state.isLocked)}
        </EmptyState>
      </div>
    )
  }
  return (
    <div className="reader-status">
      <p role="status" className="visually-hidden">
        Opening {note.title}…
      </p>
      <div className="reader-status-page" aria-hidden="true" />
    </div>
  )
}

const unreadableTitle = (isLocked: boolean) =>
  isLocked ? 'This note is password-protected' : 'Can’t show this file here'
const unreadableText = (isLocked: boolean) =>
  isLocked ? 'Its author protected it with a password.' : 'It may be damaged. Another app might still open it.'

type PasswordDialogProps = Extract<DocumentLoadState, { kind: 'locked' }> & { note: Note }

/** The password is passed to pdf.js in this page only. */
function PasswordDialog({ note, wasWrong, unlock, cancel }: PasswordDialogProps) {
  const [password, setPassword] = useState('')
  const formId = 'unlock-note'
  function send(event: FormEvent) {
    event.preventDefault()
    if (password !== '') unlock(password)
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => open || cancel()}
      title="This note is password-protected"
      description={`“${note.title}” is protected with a password set by its author.`}
      footer={
        <>
          <Button variant="secondary" onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" form={formId}>
            Open
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={send}>
        {/* biome-ignore lint/plugin/forbidden-code: a password manager would offer the password of the account */}
        <PasswordField
          label="File password"
          autoComplete="off"
          value={password}
          error={wasWrong ? 'Incorrect password. Please try again.' : undefined}
          onChange={(event) => setPassword(event.target.value)}
        />
      </form>
    </Dialog>
  )
}
