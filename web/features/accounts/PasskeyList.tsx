import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { removePasskey } from '../../../packages/contract/passkeys.endpoints.ts'
import type { Passkey } from '../../../packages/contract/passkeys.ts'
import { api } from '../../platform/api/client.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { ErrorState } from '../../platform/ui/ErrorState.tsx'
import { Row, Text } from '../../platform/ui/layout.tsx'
import { showSuccess } from '../../platform/ui/toast.ts'
import { hasPasskeys } from '../auth/passkeys.ts'
import { formatMoment } from '../notes/format.ts'
import { AddPasskey } from './AddPasskey.tsx'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { RenamePasskey } from './RenamePasskey.tsx'
import { passkeysQuery } from './settings-queries.ts'

export function PasskeyList() {
  const query = useQuery(passkeysQuery)
  const { data: passkeys } = query
  const [removing, setRemoving] = useState<Passkey | null>(null)
  const [renaming, setRenaming] = useState<Passkey | null>(null)
  if (passkeys === undefined) {
    return query.isLoadingError && <ErrorState title="There was an error fetching your passkeys." query={query} />
  }

  async function remove(currentPassword: string) {
    if (removing) await api.call(removePasskey, { params: { id: removing._id }, body: { currentPassword } })
    showSuccess('Passkey removed.')
  }

  return (
    <>
      {passkeys.length > 0 && (
        <ul className="rows">
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey._id}
              passkey={passkey}
              onRename={() => setRenaming(passkey)}
              onRemove={() => setRemoving(passkey)}
            />
          ))}
        </ul>
      )}
      {hasPasskeys() ? <AddPasskey /> : <p>Passkeys aren’t available in this browser.</p>}
      {renaming && <RenamePasskey passkey={renaming} onClose={() => setRenaming(null)} />}
      <ConfirmDialog
        open={removing !== null}
        onClose={() => setRemoving(null)}
        title={`Remove ${removing?.name ?? 'it'}?`}
        description="You’ll no longer be able to log in with it. Delete it from your device as well."
        action="Remove"
        isDangerous
        focusAfterConfirm="passkeys"
        onConfirm={remove}
      />
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
        <Button variant="secondary" size="small" aria-label={`Rename ${name}`} onClick={onRename}>
          Rename
        </Button>
        <Button variant="secondary" size="small" aria-label={`Remove ${name}`} onClick={onRemove}>
          Remove
        </Button>
      </Row>
    </Row>
  )
}
