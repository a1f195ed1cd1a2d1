import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  addPasskey,
  createPasskeyRegistrationOptions,
  removePasskey,
  renamePasskey,
} from '../../../packages/contract/passkeys.endpoints.ts'
import { type Passkey, passkeyForm, passkeyRename } from '../../../packages/contract/passkeys.ts'
import { ApiError, api } from '../../platform/api/client.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { FormDialog, type OpenDialog } from '../../platform/ui/Dialog.tsx'
import { ErrorState } from '../../platform/ui/EmptyState.tsx'
import { PasswordField, TextField } from '../../platform/ui/fields.tsx'
import { Row, Text } from '../../platform/ui/layout.tsx'
import { showSuccess } from '../../platform/ui/toast.ts'
import { useDialog } from '../../platform/ui/use-dialog.ts'
import { Alert } from '../auth/Alert.tsx'
import { showFormError } from '../auth/form-errors.ts'
import { createPasskey, hasPasskeys, passkeyMessage, rememberPasskey } from '../auth/passkeys.ts'
import { useApiForm } from '../auth/use-api-form.tsx'
import { formatMoment } from '../notes/format.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { passkeysQuery } from './settings-queries.ts'

export function PasskeyList() {
  const query = useQuery(passkeysQuery)
  const { data: passkeys } = query
  const [dialog, show] = useDialog<{ kind: 'rename' | 'remove'; passkey: Passkey } | { kind: 'add' }>()
  if (passkeys === undefined) {
    return query.isLoadingError && <ErrorState title="There was an error fetching your passkeys." query={query} />
  }

  return (
    <>
      {passkeys.length > 0 && (
        <ul className="rows">
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey._id}
              passkey={passkey}
              onRename={() => show({ kind: 'rename', passkey })}
              onRemove={() => show({ kind: 'remove', passkey })}
            />
          ))}
        </ul>
      )}
      {hasPasskeys() ? (
        <Button onClick={() => show({ kind: 'add' })}>Add a passkey</Button>
      ) : (
        <p>Passkeys aren’t available in this browser.</p>
      )}
      {dialog?.kind === 'add' && <AddDialog {...dialog} />}
      {dialog?.kind === 'rename' && <RenameDialog {...dialog} />}
      {dialog?.kind === 'remove' && <RemoveDialog {...dialog} />}
    </>
  )
}

type PasskeyRowProps = { passkey: Passkey; onRename: () => void; onRemove: () => void }

function PasskeyRow({ passkey, onRename, onRemove }: PasskeyRowProps) {
  const { name, createdAt, lastUsedAt } = passkey
  return (
    <Row as="li" justify="space-between" gap={[0.5, 1]}>
      <div>
        <Text isStrong>{name}</Text>
        <Text tone="soft" size="small" isCount>
          Added <time dateTime={createdAt}>{formatMoment(createdAt)}</time>
          {lastUsedAt && (
            <>
              , last used <time dateTime={lastUsedAt}>{formatMoment(lastUsedAt)}</time>
            </>
          )}
        </Text>
      </div>
      <Row gap={0.5}>
        <Button size="small" aria-label={`Rename ${name}`} onClick={onRename}>
          Rename
        </Button>
        <Button size="small" aria-label={`Remove ${name}`} onClick={onRemove}>
          Remove
        </Button>
      </Row>
    </Row>
  )
}

const RemoveDialog = ({ passkey, ...dialog }: OpenDialog & { passkey: Passkey }) => (
  <ConfirmDialog
    {...dialog}
    title={`Remove ${passkey.name}?`}
    description="You’ll no longer be able to log in with it. Delete it from your device as well."
    action="Remove"
    isDangerous
    focusAfterConfirm="passkeys"
    onConfirm={async (currentPassword) => {
      await api.call(removePasskey, { params: { id: passkey._id }, body: { currentPassword } })
      showSuccess('Passkey removed.')
    }}
  />
)

function RenameDialog({ passkey, open, onClose }: OpenDialog & { passkey: Passkey }) {
  const { submit, field, isSubmitting } = useApiForm(passkeyRename, { name: passkey.name }, async (body) => {
    await api.call(renamePasskey, { params: { id: passkey._id }, body })
    onClose()
    showSuccess('Passkey renamed.')
  })

  return (
    <FormDialog
      {...{ open, onClose }}
      title={`Rename ${passkey.name}`}
      description="Only you see this name. Your device may show a different one."
      action="Rename"
      busy={isSubmitting}
      onSubmit={() => void submit()}
    >
      <TextField label="Passkey name" autoComplete="off" {...field('name')} />
    </FormDialog>
  )
}

/** Asks for the password and a name, lets the browser create the passkey, and saves it. */
function AddDialog({ open, onClose }: OpenDialog) {
  /** The browser's error, shown inside because toasts cannot be reached while a dialog is open. */
  const [refusal, setRefusal] = useState('')

  const { submit, field, isSubmitting } = useApiForm(
    passkeyForm,
    { name: '', currentPassword: '' },
    async ({ name, currentPassword }) => {
      setRefusal('')
      await add(name, currentPassword)
      onClose()
      showSuccess('Passkey added.')
    },
    (error, form) => {
      const message = showFormError(form, error, passkeyMessage(error))
      if (!(error instanceof ApiError) || error.code !== 'wrong_password') setRefusal(message)
    },
  )

  return (
    <FormDialog
      {...{ open, onClose }}
      title="Add a passkey"
      description="Your browser will ask for your fingerprint, face, PIN or security key next."
      action="Continue"
      busy={isSubmitting}
      onSubmit={() => void submit()}
    >
      {refusal && (
        <div role="alert">
          <Alert kind="error">{refusal}</Alert>
        </div>
      )}
      <TextField label="Passkey name" hint="For example, “My phone”." autoComplete="off" {...field('name')} />
      <PasswordField label="Password" autoComplete="current-password" {...field('currentPassword')} />
    </FormDialog>
  )
}

async function add(name: string, currentPassword: string): Promise<void> {
  const options = await api.call(createPasskeyRegistrationOptions, { body: { currentPassword } })
  const credential = await createPasskey(options)
  await api.call(addPasskey, { body: { name, credential } })
  rememberPasskey()
}
