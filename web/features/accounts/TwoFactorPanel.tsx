import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useEffect, useRef, useState } from 'react'
import {
  disableTwoFactor,
  regenerateRecoveryCodes,
  setUpTwoFactor,
} from '../../../packages/contract/two-factor.endpoints.ts'
import type { TwoFactorSetup as Setup, TwoFactor } from '../../../packages/contract/two-factor.ts'
import { api } from '../../platform/api/client.ts'
import { lazyPart } from '../../platform/layout/chunk-reload.ts'
import { useNavigationBlocker } from '../../platform/layout/unsaved.ts'
import { session } from '../../platform/session/store.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { copyText } from '../../platform/ui/browser.ts'
import type { OpenDialog } from '../../platform/ui/Dialog.tsx'
import { ErrorState } from '../../platform/ui/EmptyState.tsx'
import { Grid, Row, Stack, Text } from '../../platform/ui/layout.tsx'
import { showError, showSuccess } from '../../platform/ui/toast.ts'
import { useDialog } from '../../platform/ui/use-dialog.ts'
import { formatMoment } from '../notes/format.ts'
import { saveAs } from '../notes/open-file/save-file.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { twoFactorQuery } from './settings-queries.ts'
import './two-factor-panel.css'

const TwoFactorSetup = lazyPart(() => import('./TwoFactorSetup.tsx').then((part) => part.TwoFactorSetup))

/** Two-factor login: on, off, in setup, or with recovery codes to save. */
export function TwoFactorPanel() {
  const query = useQuery(twoFactorQuery)
  const { data: twoFactor } = query
  const [setup, setSetup] = useState<Setup | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  if (twoFactor === undefined) {
    return (
      query.isLoadingError && <ErrorState title="There was an error fetching your two-factor settings." query={query} />
    )
  }

  function show(recoveryCodes: string[]) {
    setSetup(null)
    setCodes(recoveryCodes)
  }

  if (codes !== null) return <RecoveryCodes codes={codes} onSaved={() => setCodes(null)} />
  // The setup that is still open turned it on, but the response with the codes was lost.
  if (twoFactor !== null) {
    return (
      <On twoFactor={twoFactor} hasUnseenCodes={setup !== null} onRenewed={show} onTurnedOff={() => setSetup(null)} />
    )
  }
  if (setup === null) return <Off onSetup={setSetup} />
  return <TwoFactorSetup setup={setup} onDone={show} onCancel={() => setSetup(null)} />
}

function Off({ onSetup }: { onSetup: (setup: Setup) => void }) {
  const [dialog, show] = useDialog()
  return (
    <>
      <Button onClick={() => show({})}>Turn on</Button>
      {dialog && (
        <ConfirmDialog
          {...dialog}
          title="Turn on two-factor authentication?"
          description="You’ll need an authenticator app. Many password managers have one built in."
          action="Continue"
          onConfirm={async (currentPassword) => onSetup(await api.call(setUpTwoFactor, { body: { currentPassword } }))}
        />
      )}
    </>
  )
}

type OnProps = {
  twoFactor: NonNullable<TwoFactor>
  hasUnseenCodes: boolean
  onRenewed: (codes: string[]) => void
  onTurnedOff: () => void
}

function On({ twoFactor: { since, recoveryCodesLeft }, hasUnseenCodes, onRenewed, onTurnedOff }: OnProps) {
  const [dialog, show] = useDialog<Omit<ComponentProps<typeof ConfirmDialog>, keyof OpenDialog>>()
  const renew = {
    title: 'Generate new recovery codes?',
    description: 'Your current codes will stop working.',
    action: 'Generate codes',
    async onConfirm(currentPassword: string) {
      const { recoveryCodes } = await api.call(regenerateRecoveryCodes, { body: { currentPassword } })
      onRenewed(recoveryCodes)
    },
  }
  const turnOff = {
    title: 'Turn off two-factor authentication?',
    description: 'You’ll log in with just your password.',
    action: 'Turn off',
    isDangerous: true,
    focusAfterConfirm: 'two-factor',
    async onConfirm(currentPassword: string) {
      await api.call(disableTwoFactor, { body: { currentPassword } })
      onTurnedOff()
      showSuccess('Two-factor authentication turned off.')
    },
  }

  return (
    <Stack gap={1.125}>
      <p>
        <strong>On</strong> since {formatMoment(since)}.{' '}
        {recoveryCodesLeft === 1 ? '1 recovery code left.' : `${recoveryCodesLeft} recovery codes left.`}
      </p>
      {hasUnseenCodes && <p>Your recovery codes couldn’t be shown. Generate new codes and save them.</p>}
      <Row>
        <Button onClick={() => show(renew)}>Generate new codes</Button>
        <Button onClick={() => show(turnOff)}>Turn off</Button>
      </Row>
      {dialog && <ConfirmDialog {...dialog} />}
    </Stack>
  )
}

const fileName = 'lectern-recovery-codes.txt'

/** The recovery codes, which the server returns only once. */
function RecoveryCodes({ codes, onSaved }: { codes: string[]; onSaved: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The pressed button is removed, and these codes are not shown again.
  useEffect(() => heading.current?.focus(), [])
  useNavigationBlocker(() => session.getState().user !== null, 'Save your recovery codes first.')
  const text = `Recovery codes for Lectern. Each works once.\n\n${codes.join('\n')}\n`

  async function copy() {
    if (await copyText(codes.join('\n'))) showSuccess('Recovery codes copied.')
    else showError('Couldn’t copy the codes. Download or write them down instead.')
  }

  return (
    <Stack gap={1.125} align="flex-start">
      <Text as="h3" size="large" ref={heading} tabIndex={-1}>
        Save your recovery codes
      </Text>
      <p>Use these codes to log in if you lose your authenticator app. Each works once. You won’t see them again.</p>
      <Grid as="ul" columns="repeat(2, max-content)" gap={[0.5, 2]} className="recovery-codes-list">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </Grid>
      <Row>
        <Button icon="download" onClick={() => saveAs(new Blob([text], { type: 'text/plain' }), fileName)}>
          Download
        </Button>
        <Button icon="copy" onClick={() => void copy()}>
          Copy
        </Button>
      </Row>
      <Button variant="primary" onClick={onSaved}>
        I’ve saved my codes
      </Button>
    </Stack>
  )
}
