import { useEffect, useEffectEvent } from 'react'
import { Dialog, type OpenDialog } from '../../platform/ui/Dialog.tsx'
import { Checkbox } from '../../platform/ui/fields.tsx'
import { singleKeyShortcuts, toggleDarkPages } from './preferences.ts'
import type { ReaderDocument } from './use-document.ts'
import './shortcuts-dialog.css'

type Actions = {
  find: () => void
  togglePanel: () => void
  showKeys: () => void
  close: () => void
}

/** The keyboard shortcuts of the reader; `ShortcutsDialog` lists them. */
export function useReaderKeys(reader: ReaderDocument, actions: Actions): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const opened = reader.opened.current
    const { kind } = reader.store.getState().opening
    if (event.defaultPrevented || (kind !== 'opening' && kind !== 'ready') || isHandledElsewhere(event)) return
    // Caps Lock makes capitals of letters.
    const key = event.key.length === 1 && !event.shiftKey ? event.key.toLowerCase() : event.key
    const withCtrl = event.ctrlKey || event.metaKey
    if (event.altKey || (withCtrl && !'f+=-0'.includes(key))) return
    const isSingleKey = !withCtrl && key.length === 1 && key !== ' '
    if (isSingleKey && singleKeyShortcuts.get() === 'off') return
    // These work before the file is loaded, too. The browser's own search would not find what comes later.
    const keys = { ...getActionKeys(actions), ...(opened && getViewKeys(opened.view, event.shiftKey)) }
    const act = keys[key]
    if (act === undefined) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

type View = NonNullable<ReaderDocument['opened']['current']>['view']
type Keys = Record<string, () => void>

const getActionKeys = ({ find, close, togglePanel, showKeys }: Actions): Keys => ({
  f: find,
  d: toggleDarkPages,
  s: togglePanel,
  '?': showKeys,
  Escape: close,
})

const lineShare = 0.1
const screenShare = 0.9

function getViewKeys(view: View, shiftKey: boolean): Keys {
  const { container } = view
  const scroll = (share: number) => container.scrollBy({ top: share * container.clientHeight })
  const isWide = () => container.scrollWidth > container.clientWidth
  const sideways = (way: 1 | -1) => {
    if (isWide()) container.scrollBy({ left: way * lineShare * container.clientWidth })
    else if (way === 1) view.nextPage()
    else view.previousPage()
  }
  return {
    ArrowDown: () => scroll(lineShare),
    ArrowUp: () => scroll(-lineShare),
    ArrowRight: () => sideways(1),
    ArrowLeft: () => sideways(-1),
    PageDown: () => scroll(screenShare),
    PageUp: () => scroll(-screenShare),
    ' ': () => scroll(shiftKey ? -screenShare : screenShare),
    Home: () => container.scrollTo({ top: 0 }),
    End: () => {
      view.currentPageNumber = view.pagesCount
    },
    '+': () => view.increaseScale(),
    '=': () => view.increaseScale(),
    '-': () => view.decreaseScale(),
    '0': () => {
      view.currentScaleValue = 'auto'
    },
    r: () => {
      view.pagesRotation += 90
    },
  }
}

/** Inputs, dialogs and menus keep all keys; a button keeps those that press it. */
function isHandledElsewhere({ target, key }: KeyboardEvent): boolean {
  if (document.querySelector('[role="dialog"], :popover-open') !== null) return true
  if (!(target instanceof Element)) return false
  if (target.matches('input, select, textarea')) return key !== 'Escape'
  return target.closest('a, button, [role="tablist"]') !== null && [' ', 'Enter'].includes(key)
}

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
