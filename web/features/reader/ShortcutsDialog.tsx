import { Checkbox } from '../../platform/ui/Checkbox.tsx'
import { Dialog } from '../../platform/ui/Dialog.tsx'
import './shortcuts-dialog.css'
import { singleKeyShortcuts } from './single-key-shortcuts.ts'

const shortcuts: [keys: string[], what: string][] = [
  [['↑', '↓'], 'Scroll'],
  [['←', '→'], 'Page before, next page'],
  [['Page Up', 'Page Down'], 'A screen back, a screen on'],
  [['Home', 'End'], 'First page, last page'],
  [['+', '-'], 'Larger, smaller'],
  [['0'], 'The size it had'],
  [['F'], 'Find in this note'],
  [['R'], 'Rotate'],
  [['D'], 'Dark pages'],
  [['S'], 'Pages, contents and details'],
  [['Esc'], 'Close what is open'],
  [['/', 'Ctrl K'], 'Search all notes'],
  [['?'], 'This list'],
]

type ShortcutsDialogProps = { open: boolean; onOpenChange: (open: boolean) => void }

/** Lists the keys that `useReaderKeys` handles. */
export function ShortcutsDialog({ open, onOpenChange }: ShortcutsDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts">
      <dl className="shortcuts-dialog">
        {shortcuts.map(([keys, what]) => (
          <div key={what}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <Checkbox
        label="Letters, digits and signs do this"
        hint="Otherwise only the arrows, Page Up, Page Down, Space, Home, End and Esc do, and what is pressed with Ctrl."
        checked={singleKeyShortcuts.use() === 'on'}
        onChange={(event) => singleKeyShortcuts.choose(event.target.checked ? 'on' : 'off')}
      />
    </Dialog>
  )
}
