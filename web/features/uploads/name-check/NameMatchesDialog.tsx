import { useEffect, useRef, useState } from 'react'
import { session } from '../../../platform/session/store.ts'
import { Button, IconButton } from '../../../platform/ui/Button.tsx'
import { Dialog, type OpenDialog } from '../../../platform/ui/Dialog.tsx'
import { Grid, Text } from '../../../platform/ui/layout.tsx'
import { drawNamedPage } from '../pdf/read-pdf.ts'
import type { NameScan } from '../upload-queue.ts'
import type { Author } from './find-name.ts'
import './name-matches-dialog.css'

export type NameChoices = {
  onShareAnyway: () => void
  onShareByName: () => void
  onRemoveHidden: () => void
  onRemove: () => void
}

type NameMatchesDialogProps = OpenDialog & {
  file: File
  pages: NameScan['pages']
  /** Null after the user has decided. */
  choices: NameChoices | null
}

export function NameMatchesDialog({ file, pages, open, onClose, choices }: NameMatchesDialogProps) {
  const [at, setAt] = useState(0)
  const shown = pages[at]
  const author = session.getState().user
  if (shown === undefined || author === null) return null
  const { page, excerpt, isHidden } = shown

  const then = (choice: () => void) => () => {
    onClose()
    choice()
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Your name in this file"
      description="Anonymous notes keep their pages unchanged, so readers will see your name."
      footer={
        choices && (
          <>
            <Button variant="ghost" onClick={then(choices.onRemove)}>
              Remove
            </Button>
            <Button onClick={then(choices.onShareByName)}>Upload with my name</Button>
            <Button onClick={then(choices.onShareAnyway)}>Upload anyway</Button>
          </>
        )
      }
    >
      <HighlightedPage key={page} file={file} page={page} author={author} />
      <Grid columns="auto minmax(0, 1fr) auto" align="center" gap={0.5} top={0.75}>
        <IconButton
          icon="chevron-left"
          label="Previous page with your name"
          disabled={at === 0}
          onClick={() => setAt(at - 1)}
        />
        <div role="status" className="name-matches-dialog-page">
          <Text isStrong isCount>
            Page {page} ({at + 1} of {pages.length}){isHidden && ', in invisible text'}
          </Text>
          <Text tone="soft" size="small" dir="auto">
            {excerpt.before}
            <mark>{excerpt.name}</mark>
            {excerpt.after}
          </Text>
        </div>
        <IconButton
          icon="chevron-right"
          label="Next page with your name"
          disabled={at === pages.length - 1}
          onClick={() => setAt(at + 1)}
        />
      </Grid>
    </Dialog>
  )
}

function HighlightedPage({ file, page, author }: { file: File; page: number; author: Author }) {
  const frame = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<'drawing' | 'drawn' | 'failed'>('drawing')
  useEffect(() => {
    let isWanted = true
    drawNamedPage(file, page, author).then(
      ({ canvas, top }) => {
        if (!isWanted || !frame.current) return
        frame.current.replaceChildren(canvas)
        frame.current.hidden = false
        const scroller = frame.current.parentElement
        scroller?.scrollTo({ top: top * canvas.clientHeight - scroller.clientHeight / 3 })
        setState('drawn')
      },
      () => isWanted && setState('failed'),
    )
    return () => {
      isWanted = false
    }
  }, [file, page, author])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
    <section className="highlighted-page" aria-label={`Page ${page}`} tabIndex={0}>
      <div ref={frame} role="img" aria-label={`Page ${page} with your name highlighted`} hidden={state !== 'drawn'} />
      {state === 'drawing' && <p>Loading page {page}…</p>}
      {state === 'failed' && <p>Couldn’t show page {page}.</p>}
    </section>
  )
}
