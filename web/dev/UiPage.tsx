import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import * as paths from '../paths.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import type { DrawingName } from '../ui/Drawing.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Icon } from '../ui/Icon.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import { ProgressBar } from '../ui/ProgressBar.tsx'
import { SelectField } from '../ui/SelectField.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { TextArea } from '../ui/TextArea.tsx'
import { TextField } from '../ui/TextField.tsx'
import { showError, showSuccess } from '../ui/toast.ts'
import './ui-page.css'

/** Every component in every state, to be looked at in both themes. In development only, at /dev/ui. */
export function Component() {
  return (
    <div className="page ui-page">
      <h1 className="page-title">The components</h1>
      <Buttons />
      <Fields />
      <Feedback />
      <Empty />
      <Colours />
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="sheet ui-page-part">
      <h2>{title}</h2>
      {children}
    </section>
  )
}

const variants = ['primary', 'secondary', 'ghost', 'danger'] as const

const Buttons = () => (
  <Part title="Buttons">
    {variants.map((variant) => (
      <div key={variant} className="ui-page-row">
        <Button variant={variant}>{variant}</Button>
        <Button variant={variant} icon={<Icon name="upload" />}>
          With icon
        </Button>
        <Button variant={variant} size="small">
          Small
        </Button>
        <Button variant={variant} busy>
          Busy
        </Button>
        <Button variant={variant} disabled>
          Disabled
        </Button>
        <ButtonLink variant={variant} to={paths.home()}>
          A link
        </ButtonLink>
      </div>
    ))}
    <p>
      In running text,{' '}
      <Link className="link" to={paths.forgotPassword()}>
        Forgot password?
      </Link>{' '}
      has the highlighter under it.
    </p>
  </Part>
)

const years = ['2026–27', '2025–26'].map((year) => ({ value: year, label: year }))

const Fields = () => (
  <Part title="Fields">
    <div className="ui-page-fields">
      <TextField label="Plain" placeholder="CS101" />
      <TextField label="With hint" hint="Letters and digits, such as CS101." optional />
      <TextField label="With error" error="Please fill in all required fields." defaultValue="?" />
      <TextField label="Disabled" disabled defaultValue="CS101" />
      <PasswordField label="Password" defaultValue="secret" />
      <PasswordField label="Password with error" error="Passwords do not match" defaultValue="secret" />
      <SelectField label="Select" options={years} />
      <SelectField label="Select with error" options={years} error="Please fill in all required fields." />
      <SelectField label="Select disabled" options={years} disabled />
      <TextArea label="Text of several lines" hint="As long as it has to be." />
      <TextArea label="Text with error" error="Please write something here." />
      <Checkbox label="Display Anonymously" hint="Your name is not shown with the note." />
      <Checkbox label="Checked" defaultChecked />
      <Checkbox label="Disabled" disabled defaultChecked />
    </div>
  </Part>
)

function Feedback() {
  const [open, setOpen] = useState(false)
  return (
    <Part title="Feedback">
      <div className="ui-page-row">
        <Button variant="secondary" onClick={() => showSuccess('Notes uploaded successfully!')}>
          Success toast
        </Button>
        <Button variant="secondary" onClick={() => showError('Failed to view note. Please try again later.')}>
          Error toast
        </Button>
        <Button variant="secondary" onClick={() => setOpen(true)}>
          Dialog
        </Button>
      </div>
      <div className="ui-page-waiting">
        <ProgressBar label="Nothing yet" value={0} />
        <ProgressBar label="Under way" value={0.4} />
        <ProgressBar label="Done" value={1} />
        <ProgressBar label="Who knows" value={null} />
        <Skeleton className="ui-page-line" />
        <Skeleton className="ui-page-block" />
      </div>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Delete this note?"
        description="Are you sure you want to delete this note?"
        footer={
          <>
            <Button variant="secondary" onClick={() => setOpen(false)}>
              Cancel
            </Button>
            <Button variant="danger" onClick={() => setOpen(false)}>
              Delete
            </Button>
          </>
        }
      />
    </Part>
  )
}

const drawings: DrawingName[] = [
  'shelf',
  'search',
  'heart',
  'eye',
  'upload',
  'lost',
  'broken',
  'letter',
  'done',
  'clock',
]

const Empty = () => (
  <Part title="Nothing here">
    <div className="ui-page-drawings">
      {drawings.map((drawing) => (
        <EmptyState
          key={drawing}
          drawing={drawing}
          title={`Drawing: ${drawing}`}
          action={<Button icon={<Icon name="heart" />}>The next step</Button>}
        >
          Why, and what to do about it.
        </EmptyState>
      ))}
    </div>
  </Part>
)

const colours = [
  'desk',
  'sheet',
  'sunken',
  'ink',
  'ink-soft',
  'ink-faint',
  'line',
  'line-strong',
  'marigold',
  'marigold-deep',
  'marigold-soft',
  'on-marigold',
  'danger',
  'danger-soft',
  'success',
  'focus',
]

const Colours = () => (
  <Part title="Colours">
    <ul className="ui-page-colours">
      {colours.map((name) => (
        <li key={name}>
          <div className="ui-page-colour" style={{ background: `var(--${name})` }} />
          {name}
        </li>
      ))}
    </ul>
  </Part>
)
