import {
  Download,
  Ellipsis,
  Expand,
  ExternalLink,
  Flag,
  Keyboard,
  type LucideIcon,
  Maximize,
  Moon,
  MoveHorizontal,
  Pencil,
  Printer,
  RotateCw,
  Scale,
} from 'lucide-react'
import { useId, useRef } from 'react'
import type { Note } from '../../../contract/notes.ts'
import { Button } from '../../ui/Button.tsx'
import { openNote } from '../opening/open-note.ts'
import type { Fit } from './document/document-store.ts'
import { downloadNote } from './download-note.ts'
import './more-menu.css'
import { type ReaderDocument, updateView, useDocumentState } from './use-document.ts'

type MoreMenuProps = {
  note: Note
  reader: ReaderDocument
  hasDarkPages: boolean
  onToggleDarkPages: () => void
  onPrint: () => void
  onShowKeys: () => void
  onEdit: (() => void) | undefined
  /** Nobody reports a note of their own. */
  onReport: (() => void) | undefined
  /** For moderators. */
  onModerate: (() => void) | undefined
}

/** What is wanted now and then. A native popover: closes on Esc and on a click beside it, and gives the focus back. */
export function MoreMenu({
  note,
  reader,
  hasDarkPages,
  onToggleDarkPages,
  onPrint,
  onShowKeys,
  onEdit,
  onReport,
  onModerate,
}: MoreMenuProps) {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const isReady = useDocumentState(reader, (state) => state.opening.kind === 'ready')
  const item = (text: string, Icon: LucideIcon, act: () => void, isDisabled = false) => (
    <li>
      <button
        type="button"
        className="more-menu-item"
        disabled={isDisabled}
        onClick={() => {
          menu.current?.hidePopover()
          act()
        }}
      >
        <Icon aria-hidden="true" />
        {text}
      </button>
    </li>
  )
  const fit = (value: Fit) => () =>
    updateView(reader, (view) => {
      view.currentScaleValue = value
    })
  const rotate = () =>
    updateView(reader, (view) => {
      view.pagesRotation += 90
    })
  return (
    <>
      <Button
        variant="ghost"
        size="square"
        icon={<Ellipsis aria-hidden="true" />}
        aria-label="More"
        title="More"
        popoverTarget={id}
      />
      <div ref={menu} id={id} popover="auto" className="more-menu">
        <ul>
          {onEdit && item('Edit note', Pencil, onEdit)}
          {item(hasDarkPages ? 'Light pages' : 'Dark pages', Moon, onToggleDarkPages)}
          {item('Fit width', MoveHorizontal, fit('page-width'), !isReady)}
          {item('Fit page', Expand, fit('page-fit'), !isReady)}
          {item('Rotate', RotateCw, rotate, !isReady)}
          {document.fullscreenEnabled && item('Full screen', Maximize, toggleFullScreen)}
          {item('Print', Printer, onPrint, !isReady)}
          {item('Download', Download, () => void downloadNote(note))}
          {item('Open file in a new tab', ExternalLink, () => void openNote(note))}
          {item('Keyboard shortcuts', Keyboard, onShowKeys)}
          {onReport && item('Report note', Flag, onReport)}
          {onModerate && item('Moderate', Scale, onModerate)}
        </ul>
      </div>
    </>
  )
}

/** All of the page rather than the reader alone, so that dialogs and toasts are seen as well. */
function toggleFullScreen(): void {
  const changed = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()
  changed.catch(() => {})
}
