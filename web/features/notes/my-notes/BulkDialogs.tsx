import { type ReactNode, useId, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { type DetailName, type Note, type NoteChange, noteChange } from '../../../../packages/contract/notes.ts'
import { useNavigationBlocker } from '../../../platform/layout/unsaved.ts'
import { session } from '../../../platform/session/store.ts'
import { Button, isRepeated } from '../../../platform/ui/Button.tsx'
import { headingOf } from '../../../platform/ui/browser.ts'
import { Dialog, DialogForm, type OpenDialog, useDialogInput } from '../../../platform/ui/Dialog.tsx'
import { SelectField } from '../../../platform/ui/fields.tsx'
import { Icon } from '../../../platform/ui/Icon.tsx'
import { ProgressBar } from '../../../platform/ui/Loading.tsx'
import { Grid, Stack, Text } from '../../../platform/ui/layout.tsx'
import { showSuccess } from '../../../platform/ui/toast.ts'
import { getCachedNote } from '../cache/note-cache.ts'
import { FormDetails } from '../DetailFields.tsx'
import { countOf } from '../format.ts'
import { commonDetails, type Details, detailNames, differs, properties } from '../properties.ts'
import { type BulkItemStatus, type Change, deleteOne, editOne, runBulkAction } from './run-bulk-action.ts'
import './bulk-dialogs.css'

type BulkDialogProps = OpenDialog & {
  noteIds: string[]
  /** Called with the changed notes, which can be removed from the selection. */
  onChanged: (noteIds: string[]) => void
}

export function BulkDeleteDialog(props: BulkDialogProps) {
  const notes = countOf(props.noteIds.length, 'note')
  return (
    <BulkDialog
      {...props}
      title={`Delete ${notes}?`}
      description={`Are you sure you want to delete ${props.noteIds.length === 1 ? 'this note' : 'these notes'}? This can’t be undone.`}
      verb="deleted"
      action={`Delete ${notes}`}
      isDangerous
      prepare={async () => deleteOne}
    />
  )
}

const keepCurrent = { value: '', label: 'Keep current values' }

export function BulkEditDialog(props: BulkDialogProps) {
  const { noteIds } = props
  // The notes are read once when the dialog opens, because a save must not change the form.
  const [notes] = useState(() => noteIds.flatMap((id) => getCachedNote(id) ?? []))
  const [defaultValues] = useState(() => commonValues(notes))
  const { register, control, handleSubmit, setError, formState } = useForm<CommonValues>({ defaultValues })
  const { dirtyFields } = formState
  const count = countOf(noteIds.length, 'note')

  async function prepare() {
    let change: Change | null = null
    await handleSubmit((typed) => {
      const checked = noteChange.safeParse(changeOf(typed, dirtyFields))
      if (checked.success) change = editOne(checked.data, notes)
      else for (const { path, message } of checked.error.issues) setError(fieldAt(path), { message })
    })()
    return change
  }

  return (
    <BulkDialog
      {...props}
      title={`Edit ${count}`}
      description={
        noteIds.length === 1 ? 'Titles don’t change.' : 'Changes apply to all selected notes. Titles don’t change.'
      }
      verb="updated"
      action={`Update ${count}`}
      prepare={prepare}
    >
      <FormDetails
        control={control}
        more={(name) => (differs(notes, name) ? { hint: keepHint(name), blank: keepCurrent.label } : {})}
      />
      <SelectField
        label="Author"
        options={[
          ...(defaultValues.isAnonymous === '' ? [keepCurrent] : []),
          { value: 'false', label: 'Show my name' },
          { value: 'true', label: 'Anonymous' },
        ]}
        {...register('isAnonymous')}
      />
    </BulkDialog>
  )
}

type CommonValues = Details & { isAnonymous: '' | 'true' | 'false' }

const commonValues = (notes: Note[]): CommonValues => ({
  ...commonDetails(notes),
  isAnonymous: differs(notes, 'isAnonymous') ? '' : notes[0]?.isAnonymous ? 'true' : 'false',
})

const keepHint = (name: DetailName) => (properties[name].choices ? undefined : 'Leave empty to keep current values.')

const changeOf = (typed: CommonValues, touched: Partial<Record<keyof CommonValues, boolean>>): NoteChange => ({
  ...Object.fromEntries(detailNames.filter((name) => touched[name]).map((name) => [name, typed[name]])),
  ...(touched.isAnonymous && typed.isAnonymous !== '' && { isAnonymous: typed.isAnonymous === 'true' }),
})

/** An error about the whole change is shown at the first field. */
const fieldAt = ([name]: PropertyKey[]) => (name as keyof CommonValues | undefined) ?? 'courseCode'

type Parts = BulkDialogProps & {
  title: string
  description: string
  /** The past participle of the action: `deleted`, `updated`. */
  verb: string
  action: string
  isDangerous?: boolean
  /** Returns the change to make; null if the fields have errors, which it shows. */
  prepare: () => Promise<Change | null>
  children?: ReactNode
}

/** Asks for confirmation, shows the status of each note, and stays open to report failures. */
function BulkDialog({ noteIds, open, onClose, onChanged, prepare, children, ...texts }: Parts) {
  const { title, description, verb, action, isDangerous } = texts
  const { fates, isWorking, run, stop } = useBulkAction()
  const formId = useId()
  const change = useRef<Change | null>(null)
  const left = [...fates].filter(([, { kind }]) => kind !== 'done').map(([noteId]) => noteId)
  async function begin() {
    change.current = await prepare()
    await changeNotes(noteIds)
  }
  async function changeNotes(wanted: string[]) {
    if (change.current === null) return
    const done = await run(wanted, change.current)
    onChanged(done)
    if (done.length < wanted.length) return
    showSuccess(`${countOf(done.length, 'note')} ${verb}.`)
    onClose()
  }
  const hasBegun = fates.size > 0
  const input = useDialogInput()
  return (
    <Dialog
      open={open}
      onClose={() => {
        if (!isWorking && (hasBegun || input.mayClose())) onClose()
      }}
      title={title}
      description={hasBegun ? undefined : description}
      finalFocus={focusTools}
      footer={
        isWorking ? (
          // A double click on the button that was here before does not stop what it began.
          <Button onClick={(event) => !isRepeated(event) && stop()}>Stop</Button>
        ) : (
          <>
            <Button onClick={onClose}>{hasBegun ? 'Close' : 'Cancel'}</Button>
            {!hasBegun && (
              <Button
                variant={isDangerous ? 'danger' : 'primary'}
                {...(children ? { type: 'submit', form: formId } : { onClick: () => void begin() })}
              >
                {action}
              </Button>
            )}
            {left.length > 0 && (
              <Button variant="primary" onClick={() => void changeNotes(left)}>
                Retry {countOf(left.length, 'note')}
              </Button>
            )}
          </>
        )
      }
    >
      {hasBegun ? (
        <BulkProgress fates={fates} verb={verb} isWorking={isWorking} />
      ) : (
        children && (
          <DialogForm id={formId} input={input} onSubmit={() => void begin()}>
            <Stack>{children}</Stack>
          </DialogForm>
        )
      )}
    </Dialog>
  )
}

function useBulkAction() {
  const [fates, setFates] = useState<ReadonlyMap<string, BulkItemStatus>>(new Map())
  const [isWorking, setWorking] = useState(false)
  const stopping = useRef(new AbortController())

  /** @returns the ids of the changed notes. */
  async function run(noteIds: string[], change: Change): Promise<string[]> {
    stopping.current = new AbortController()
    const leave = session.subscribe(({ user }) => user === null && stopping.current.abort())
    setWorking(true)
    const done: string[] = []
    setFates(new Map(noteIds.map((id) => [id, { kind: 'waiting' }])))
    await runBulkAction(noteIds, change, {
      stop: stopping.current.signal,
      onFate(noteId, fate) {
        if (fate.kind === 'done') done.push(noteId)
        setFates((before) => new Map(before).set(noteId, fate))
      },
    })
    leave()
    setWorking(false)
    return done
  }

  return { fates, isWorking, run, stop: () => stopping.current.abort() }
}

/** The button that opened the dialog is disabled without a selection, and disappears with the last note. */
function focusTools(): HTMLElement | true {
  const isListed = document.querySelector('[data-note-open]') !== null
  const tool = document.querySelector<HTMLElement>('[data-selection-bar] button:enabled')
  return (isListed && tool) || headingOf() || true
}

type BulkProgressProps = { fates: ReadonlyMap<string, BulkItemStatus>; verb: string; isWorking: boolean }

function BulkProgress({ fates, verb, isWorking }: BulkProgressProps) {
  const all = [...fates]
  const done = all.filter(([, { kind }]) => kind === 'done').length
  const ended = all.filter(([, { kind }]) => kind !== 'waiting' && kind !== 'working').length
  useNavigationBlocker(
    () => isWorking && session.getState().user !== null,
    'Your notes are still being updated. Stop before leaving this page.',
  )
  return (
    <div>
      {isWorking && <ProgressBar value={ended / all.length} label={`Notes ${verb}`} />}
      <Text top={0.5} bottom={0.5} isStrong isCount role="status">
        {done} of {countOf(all.length, 'note')} {verb}.
      </Text>
      {/* What is longer than its frame is scrolled by keyboard too. */}
      <Grid as="ul" gap={0.5} className="bulk-progress-list" aria-label="Progress by note" tabIndex={0}>
        {all.map(([noteId, fate]) => (
          <li key={noteId}>
            <FateIcon kind={fate.kind} />
            <div>
              <p dir="auto">{getCachedNote(noteId)?.title}</p>
              <Text tone="soft" size="small">
                {describeStatus(fate, verb)}
              </Text>
            </div>
          </li>
        ))}
      </Grid>
    </div>
  )
}

function FateIcon({ kind }: Pick<BulkItemStatus, 'kind'>) {
  if (kind === 'done') return <Icon name="check" className="text-success" />
  if (kind === 'working') return <Icon name="loader-circle" className="text-faint button-spinner" />
  if (kind === 'failed' || kind === 'unknown') return <Icon name="circle-exclamation-point" className="text-danger" />
  return <Icon name="circle-dashed" className="text-faint" />
}

function describeStatus(fate: BulkItemStatus, verb: string): string {
  if ('reason' in fate) return fate.reason
  if (fate.kind === 'done') return verb.charAt(0).toUpperCase() + verb.slice(1)
  if (fate.kind === 'untried') return 'Skipped'
  return fate.kind === 'working' ? 'In progress…' : 'Waiting…'
}
