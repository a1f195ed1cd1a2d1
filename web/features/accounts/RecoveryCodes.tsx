import { useEffect, useRef } from 'react'
import { Button } from '../../platform/ui/Button.tsx'
import { Icon } from '../../platform/ui/Icon.tsx'
import { showError, showSuccess } from '../../platform/ui/toast.ts'
import { saveAs } from '../notes/open-file/save-file.ts'
import './recovery-codes.css'
import { Grid, Row, Stack, Text } from '../../platform/ui/layout.tsx'

const fileName = 'lectern-recovery-codes.txt'

/** The recovery codes, which the server returns only once. */
export function RecoveryCodes({ codes, onSaved }: { codes: string[]; onSaved: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The pressed button is removed, and these codes are not shown again.
  useEffect(() => heading.current?.focus(), [])
  const text = `Recovery codes for Lectern. Each works once.\n\n${codes.join('\n')}\n`

  async function copy() {
    try {
      await navigator.clipboard.writeText(codes.join('\n'))
      showSuccess('Recovery codes copied.')
    } catch {
      showError('Couldn’t copy the codes. Download or write them down instead.')
    }
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
        <Button
          variant="secondary"
          icon={<Icon name="download" />}
          onClick={() => saveAs(new Blob([text], { type: 'text/plain' }), fileName)}
        >
          Download
        </Button>
        <Button variant="secondary" icon={<Icon name="copy" />} onClick={() => void copy()}>
          Copy
        </Button>
      </Row>
      <Button onClick={onSaved}>I’ve saved my codes</Button>
    </Stack>
  )
}
