import { useId, useRef } from 'react'
import { viewNote } from '../../../packages/contract/notes.endpoints.ts'
import type { Note } from '../../../packages/contract/notes.ts'
import { trackPending } from '../../platform/api/activity.ts'
import { api } from '../../platform/api/client.ts'
import { IconButton } from '../../platform/ui/Button.tsx'
import { Icon, type IconName } from '../../platform/ui/Icon.tsx'
import { openNote } from '../notes/open-file/open-note.ts'
import { saveFile } from '../notes/open-file/save-file.ts'
import { showFailure } from '../notes/write-note.ts'
import { darkPages, toggleDarkPages } from './preferences.ts'
import { type ReaderDocument, setView, useDocumentState } from './use-document.ts'
import type { Fit } from './viewer/document-store.ts'
import './reader-menu.css'

type ReaderMenuProps = {
  note: Note
  reader: ReaderDocument
  onPrint: () => void
  onShowKeys: () => void
  onEdit: (() => void) | undefined
  /** Undefined for the user's own notes. */
  onReport: (() => void) | undefined
  onModerate: (() => void) | undefined
}

/** Rarely used actions. A native popover: it closes on Esc and on an outside click, and restores the focus. */
export function ReaderMenu({ note, reader, onPrint, onShowKeys, onEdit, onReport, onModerate }: ReaderMenuProps) {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const hasDarkPages = darkPages.use() === 'true'
  const isReady = useDocumentState(reader, (state) => state.opening.kind === 'ready')
  const item = (text: string, icon: IconName, act: () => void, isDisabled = false, className?: string) => (
    <li className={className}>
      <button
        type="button"
        className="row menu-item"
        disabled={isDisabled}
        onClick={() => {
          menu.current?.hidePopover()
          act()
        }}
      >
        <Icon name={icon} />
        {text}
      </button>
    </li>
  )
  const view = () => reader.opened.current?.view
  const fit = (currentScaleValue: Fit) => () => setView(reader, { currentScaleValue })
  const zoom = (way: 'increaseScale' | 'decreaseScale') => () => view()?.[way]()
  const rotate = () => setView(reader, { pagesRotation: (view()?.pagesRotation ?? 0) + 90 })
  return (
    <>
      <IconButton icon="ellipsis" label="More" popoverTarget={id} />
      <div ref={menu} id={id} popover="auto" className="popup reader-menu">
        <ul>
          {onEdit && item('Edit note', 'pencil', onEdit)}
          {item(hasDarkPages ? 'Light pages' : 'Dark pages', 'moon', toggleDarkPages)}
          {/* Shown here on phones, where the toolbar has no room; pinching zooms, too. */}
          {item('Zoom in', 'plus', zoom('increaseScale'), !isReady, 'reader-menu-zoom')}
          {item('Zoom out', 'minus', zoom('decreaseScale'), !isReady, 'reader-menu-zoom')}
          {item('Fit width', 'move-horizontal', fit('page-width'), !isReady)}
          {item('Fit page', 'expand', fit('page-fit'), !isReady)}
          {item('Rotate', 'rotate-cw', rotate, !isReady)}
          {document.fullscreenEnabled && item('Full screen', 'maximize', toggleFullScreen)}
          {item('Print', 'printer', onPrint, !isReady)}
          {item('Download', 'download', () => void downloadNote(note))}
          {item('Open file in a new tab', 'external-link', () => void openNote(note))}
          {item('Keyboard shortcuts', 'keyboard', onShowKeys)}
          {onReport && item('Report note', 'flag', onReport)}
          {onModerate && item('Moderate', 'scale', onModerate)}
        </ul>
      </div>
    </>
  )
}

/** The whole document instead of the reader, so that dialogs and toasts stay visible. */
function toggleFullScreen(): void {
  const changed = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()
  changed.catch(() => {})
}

const downloadFailure = 'Failed to download note. Please try again later.'

async function downloadNote(note: Note): Promise<void> {
  try {
    saveFile(await trackPending(api.call(viewNote, { params: { id: note._id } })), note.title)
  } catch (failure) {
    showFailure(failure, note._id, downloadFailure)
  }
}
