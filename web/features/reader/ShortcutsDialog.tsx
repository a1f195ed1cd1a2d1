import { Dialog, type OpenDialog } from '../../platform/ui/Dialog.tsx'
import { Checkbox } from '../../platform/ui/fields.tsx'
import './shortcuts-dialog.css'
import { singleKeyShortcuts } from './preferences.ts'

const shortcuts: [keys: string[], what: string][] = [
  [['↑', '↓'], 'Scroll'],
  [['←', '→'], 'Previous or next page'],
  [['Page Up', 'Page Down'], 'Scroll one screen'],
  [['Home', 'End'], 'First or last page'],
  [['+', '-'], 'Zoom in or out'],
  [['0'], 'Reset zoom'],
  [['F'], 'Find in this note'],
  [['R'], 'Rotate'],
  [['D'], 'Dark pages'],
  [['S'], 'Pages, contents and details'],
  [['Esc'], 'Close'],
  [['/', 'Ctrl K'], 'Search all notes'],
  [['?'], 'Keyboard shortcuts'],
]

/** Lists the keys that `useReaderKeys` handles. */
export const ShortcutsDialog = (dialog: OpenDialog) => (
  <Dialog {...dialog} title="Keyboard shortcuts">
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
      label="Single-key shortcuts"
      hint="When off, only arrow keys, Page Up, Page Down, Space, Home, End, Esc and Ctrl combinations work."
      checked={singleKeyShortcuts.use() === 'on'}
      onChange={(event) => singleKeyShortcuts.choose(event.target.checked ? 'on' : 'off')}
    />
  </Dialog>
)
