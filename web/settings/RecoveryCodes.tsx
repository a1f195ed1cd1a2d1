import { useEffect, useRef } from 'react'
import { saveAs } from '../notes/opening/save-file.ts'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { showError, showSuccess } from '../ui/toast.ts'
import './recovery-codes.css'

const fileName = 'lectern-recovery-codes.txt'

/** What stands in for the app when it is lost; told this once. */
export function RecoveryCodes({ codes, onSaved }: { codes: string[]; onSaved: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // What was pressed is gone from the page, and these will not be shown again.
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
    <div className="recovery-codes">
      <h3 ref={heading} tabIndex={-1}>
        Save your recovery codes
      </h3>
      <p>If you lose your app, each of them logs you in once. They are not shown again.</p>
      <ul className="recovery-codes-list">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="recovery-codes-actions">
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
      </div>
      <Button onClick={onSaved}>I have saved them</Button>
    </div>
  )
}
