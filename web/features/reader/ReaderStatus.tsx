import { useState } from 'react'
import type { Note } from '../../../packages/contract/notes.ts'
import { ApiError, getErrorMessage } from '../../platform/api/client.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { FormDialog } from '../../platform/ui/Dialog.tsx'
import { EmptyState } from '../../platform/ui/EmptyState.tsx'
import { PasswordField } from '../../platform/ui/fields.tsx'
import { HiddenStatus } from '../../platform/ui/layout.tsx'
import { openNote } from '../notes/open-file/open-note.ts'
import type { DocumentLoadState } from './viewer/document-store.ts'
import './reader-status.css'

type ReaderStatusProps = { note: Note; state: DocumentLoadState; onRetry: () => void }

export function ReaderStatus({ note, state, onRetry }: ReaderStatusProps) {
  if (state.kind === 'locked') return <PasswordDialog {...state} note={note} />
  if (state.kind === 'unreadable' || state.kind === 'failed') {
    // Only a reload helps, see `askToReload`.
    const isScriptLost = state.kind === 'failed' && !(state.failure instanceof ApiError)
    const [title, text] =
      state.kind === 'failed'
        ? ['Couldn’t open this note', getErrorMessage(state.failure, 'Check your connection and try again.')]
        : state.isLocked
          ? ['This note is password-protected', 'Its author protected it with a password.']
          : ['Can’t show this file here', 'It may be damaged. Another app might still open it.']
    return (
      <div className="reader-status">
        <EmptyState
          drawing="broken"
          title={title}
          action={
            <>
              <Button onClick={isScriptLost ? () => location.reload() : onRetry}>Try again</Button>
              {state.kind === 'unreadable' && (
                <Button onClick={() => void openNote(note)}>Open the original file</Button>
              )}
            </>
          }
        >
          {text}
        </EmptyState>
      </div>
    )
  }
  return (
    <div className="reader-status">
      <HiddenStatus>Opening {note.title}…</HiddenStatus>
      <div className="reader-status-page" aria-hidden="true" />
    </div>
  )
}

type PasswordDialogProps = Extract<DocumentLoadState, { kind: 'locked' }> & { note: Note }

/** The password is passed to pdf.js in this page only. */
function PasswordDialog({ note, wasWrong, unlock, cancel }: PasswordDialogProps) {
  const [password, setPassword] = useState('')
  return (
    <FormDialog
      open
      onClose={cancel}
      title="This note is password-protected"
      description={`“${note.title}” is protected with a password set by its author.`}
      action="Open"
      busy={false}
      onSubmit={() => password !== '' && unlock(password)}
    >
      {/* biome-ignore lint/plugin/forbidden-code: a password manager would offer the password of the account */}
      <PasswordField
        label="File password"
        autoComplete="off"
        value={password}
        error={wasWrong ? 'Incorrect password. Please try again.' : undefined}
        onChange={(event) => setPassword(event.target.value)}
      />
    </FormDialog>
  )
}
