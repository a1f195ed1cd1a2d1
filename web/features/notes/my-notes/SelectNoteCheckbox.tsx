import { useStore } from 'zustand'
import type { Note } from '../../../../packages/contract/notes.ts'
import { Icon } from '../../../platform/ui/Icon.tsx'
import type { NoteSelection } from './note-selection.ts'
import './select-note-checkbox.css'

type SelectNoteCheckboxProps = { note: Note; choosing: NoteSelection; readOrder: () => string[] }

/** A checkbox over the thumbnail of a card. With Shift it changes all notes from the last touched one to this one. */
export function SelectNoteCheckbox({ note, choosing, readOrder }: SelectNoteCheckboxProps) {
  const isChosen = useStore(choosing.store, ({ chosen }) => chosen?.has(note._id) ?? false)
  return (
    <label className="choose-note">
      <input
        type="checkbox"
        checked={isChosen}
        data-note-choice={note._id}
        onChange={({ nativeEvent }) =>
          choosing.toggle(note._id, (nativeEvent as PointerEvent).shiftKey === true, readOrder())
        }
      />
      <span className="choose-note-box">
        <Icon name="check" strokeWidth={3} />
      </span>
      <span className="visually-hidden">Select {note.title}</span>
    </label>
  )
}
