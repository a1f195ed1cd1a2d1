import { useEffect, useRef, useState } from 'react'
import { quoteLength } from '../../../../contract/limits.ts'
import type { Note } from '../../../../contract/notes.ts'
import * as paths from '../../../paths.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { type ReaderDocument, useDocumentState } from '../use-document.ts'
import type { Passage } from './passage.ts'
import './share-dialog.css'
import { Stack, Text } from '../../../ui/layout.tsx'

type ShareDialogProps = {
  note: Note
  isOwn: boolean
  reader: ReaderDocument
  /** The search of the library that led here. */
  search: string
  passage: Passage | null
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** The address of a note, of the page on display, or of words on it. */
export function ShareDialog({ open, onOpenChange, ...shared }: ShareDialogProps) {
  const { passage, reader } = shared
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Share"
      description="Whoever opens the link logs in first."
      // What offered the passage is gone by then.
      finalFocus={() => (passage && reader.container.current) ?? true}
    >
      <ShareLink {...shared} />
    </Dialog>
  )
}

type Said = 'copied' | 'refused' | null

function ShareLink({ note, isOwn, reader, search, passage }: Omit<ShareDialogProps, 'open' | 'onOpenChange'>) {
  const places = usePlaces({ note, reader, search, passage })
  const [chosen, setChosen] = useState(() => {
    if (passage) return places.length - 1
    return reader.store.getState().page > 1 ? 1 : 0
  })
  const [said, setSaid] = useState<Said>(null)
  const input = useRef<HTMLInputElement>(null)
  const url = location.origin + (places[chosen]?.path ?? '')

  // What differs from link to link stands at its end.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `url` is what is shown
  useEffect(() => {
    if (input.current) input.current.scrollLeft = input.current.scrollWidth
  }, [url])

  async function copy() {
    try {
      await navigator.clipboard.writeText(url)
      setSaid('copied')
    } catch {
      // Refused, or not there at all, as on pages without https.
      input.current?.select()
      setSaid('refused')
    }
  }

  return (
    <Stack>
      <SelectField
        label="Where it opens"
        options={places.map(({ label }, at) => ({ value: String(at), label }))}
        value={chosen}
        onChange={(event) => {
          setChosen(Number(event.target.value))
          setSaid(null)
        }}
      />
      <TextField label="Link" ref={input} readOnly value={url} onFocus={(event) => event.target.select()} />
      {isOwn && note.isAnonymous && (
        <Text tone="soft">
          You shared this note anonymously. Whoever gets the link from you may guess that it is yours.
        </Text>
      )}
      <p role="status" className="text-strong share-dialog-said">
        {said === 'copied' && 'The link is copied.'}
        {said === 'refused' && 'Your browser did not allow that. The link is selected: copy it from there.'}
      </p>
      <div className="dialog-footer share-dialog-actions">
        {'share' in navigator && (
          <Button
            variant="secondary"
            icon={<Icon name="share-2" />}
            // Changing one's mind is no failure; for everything else the link can be copied.
            onClick={() => void navigator.share({ title: note.title, url }).catch(() => {})}
          >
            Share…
          </Button>
        )}
        <Button icon={said === 'copied' ? <Icon name="check" /> : <Icon name="copy" />} onClick={copy}>
          Copy link
        </Button>
      </div>
    </Stack>
  )
}

/** What there is to lead to: the note, the page on display, and what is pointed at there, the passage last. */
function usePlaces({
  note,
  reader,
  search,
  passage,
}: Pick<ShareDialogProps, 'note' | 'reader' | 'search' | 'passage'>) {
  const page = useDocumentState(reader, (state) => state.page)
  const marked = useDocumentState(reader, (state) => state.find.text)
  const mark = marked === search ? { find: marked } : { quote: marked.slice(0, quoteLength.max) }
  return [
    { label: 'The note', path: paths.note(note._id) },
    { label: `Page ${page}`, path: paths.note(note._id, { page }) },
    ...(marked === ''
      ? []
      : [{ label: `Page ${page}, with “${marked}” marked`, path: paths.note(note._id, { page, ...mark }) }]),
    ...(passage === null
      ? []
      : [
          {
            label: `The selected passage on page ${passage.page}`,
            path: paths.note(note._id, { page: passage.page, quote: passage.text }),
          },
        ]),
  ]
}
