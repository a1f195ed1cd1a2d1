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
      showSuccess('The codes are copied.')
    } catch {
      showError('They could not be copied. Please save or write them down.')
    }
  }

  return (
    <Stack gap={1.125} align="flex-start">
      <Text as="h3" size="large" ref={heading} tabIndex={-1}>
        Save your recovery codes
      </Text>
      <p>If you lose your app, each of them logs you in once. They are not shown again.</p>
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
          Save as a file
        </Button>
        <Button variant="secondary" icon={<Icon name="copy" />} onClick={() => void copy()}>
          Copy
        </Button>
      </Row>
      <Button onClick={onSaved}>I have saved them</Button>
    </Stack>
  )
}
