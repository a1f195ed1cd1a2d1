import { useState } from 'react'
import type { Note } from '../../../packages/contract/notes.ts'
import { lazyPart } from '../../platform/layout/chunk-reload.ts'
import { Button } from '../../platform/ui/Button.tsx'
import type { MessageDialogProps } from './MessageDialog.tsx'

const MessageDialog = lazyPart(() => import('./MessageDialog.tsx').then((part) => part.MessageDialog))

type MessageButtonProps = Omit<MessageDialogProps, 'open' | 'onClose'> & {
  /** The label of the button that opens the dialog. */
  text: string
  note: Note
  size?: 'small'
}

/** Writes to the author or the moderators. `MessageDialog` starts empty each time. */
export function MessageButton({ text, note, size, ...dialog }: MessageButtonProps) {
  const [turn, setTurn] = useState(0)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="secondary"
        size={size}
        aria-label={`${text}: ${note.title}`}
        onClick={() => {
          setTurn(turn + 1)
          setOpen(true)
        }}
      >
        {text}
      </Button>
      {turn > 0 && <MessageDialog key={turn} {...dialog} open={isOpen} onClose={() => setOpen(false)} />}
    </>
  )
}
