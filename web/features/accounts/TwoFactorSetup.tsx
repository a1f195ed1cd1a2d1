import { useEffect, useRef } from 'react'
import { encode } from 'uqr'
import { enableTwoFactor } from '../../../packages/contract/two-factor.endpoints.ts'
import { api } from '../../platform/api/client.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { TextField } from '../../platform/ui/fields.tsx'
import { useApiForm } from '../auth/use-api-form.tsx'
import './two-factor-setup.css'
import { codeForm, type TwoFactorSetup as Setup } from '../../../packages/contract/two-factor.ts'
import { Row, Stack, Text } from '../../platform/ui/layout.tsx'

type TwoFactorSetupProps = {
  setup: Setup
  onDone: (codes: string[]) => void
  onCancel: () => void
}

/** Shows the secret for the app; the first code proves that the app has it. */
export function TwoFactorSetup({ setup: { secret, uri }, onDone, onCancel }: TwoFactorSetupProps) {
  const { submit, field, isSubmitting } = useApiForm(codeForm, { code: '' }, async (body) => {
    const { recoveryCodes } = await api.call(enableTwoFactor, { body })
    onDone(recoveryCodes)
  })
  const heading = useRef<HTMLHeadingElement>(null)
  // The dialog that opened this is removed, and the focus is lost with it.
  useEffect(() => heading.current?.focus(), [])

  return (
    <Stack as="form" gap={1.125} noValidate onSubmit={submit}>
      <Text as="h3" size="large" ref={heading} tabIndex={-1}>
        Set up your authenticator app
      </Text>
      <p>Scan this QR code with your app.</p>
      <div className="two-factor-setup-picture">
        <QrCode text={uri} />
      </div>
      <p className="two-factor-setup-here">
        App on this device?{' '}
        <a className="link" href={uri}>
          Open app
        </a>
      </p>
      <p>
        Or enter this key: <code className="text text-strong">{secret.match(/.{1,4}/g)?.join(' ')}</code>
      </p>
      <TextField
        label="Authentication code"
        hint="Enter the 6-digit code from your app."
        inputMode="numeric"
        autoComplete="one-time-code"
        {...field('code')}
      />
      <Row>
        <Button disabled={isSubmitting} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" busy={isSubmitting}>
          Turn on
        </Button>
      </Row>
    </Stack>
  )
}

/** Dark on light in both themes, because some cameras cannot read inverted codes. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label="QR code for your app" shapeRendering="crispEdges">
      <path d={squares.join('')} />
    </svg>
  )
}
