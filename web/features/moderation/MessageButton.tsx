import type { Note } from '../../../packages/contract/notes.ts'
import { lazyPart } from '../../platform/layout/chunk-reload.ts'
import { Button } from '../../platform/ui/Button.tsx'
import type { OpenDialog } from '../../platform/ui/Dialog.tsx'
import { useDialog } from '../../platform/ui/use-dialog.ts'
import type { MessageDialogProps } from './MessageDialog.tsx'

const MessageDialog = lazyPart(() => import('./MessageDialog.tsx').then((part) => part.MessageDialog))

type MessageButtonProps = Omit<MessageDialogProps, keyof OpenDialog> & {
  text: string
  note: Note
  size?: 'small'
}

/** Writes to the author or the moderators. `MessageDialog` starts empty each time. */
export function MessageButton({ text, note, size, ...texts }: MessageButtonProps) {
  const [dialog, show] = useDialog()
  return (
    <>
      <Button size={size} aria-label={`${text}: ${note.title}`} onClick={() => show({})}>
        {text}
      </Button>
      {dialog && <MessageDialog {...texts} {...dialog} />}
    </>
  )
}
