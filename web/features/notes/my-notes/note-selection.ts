import { createStore } from 'zustand/vanilla'

type Choice = {
  /** Null while the user is not selecting. */
  chosen: ReadonlySet<string> | null
  /** The start of a range that is selected with Shift. */
  anchor: string | null
  /** The course whose notes are being selected while its remaining pages load. */
  course: string | null
}

const idle: Choice = { chosen: null, anchor: null, course: null }

/** Creates the store of selected notes. It is outside React state, so that a tick renders only its own card. */
export function createSelection() {
  const store = createStore<Choice>(() => idle)
  const { getState, setState } = store
  const chosen = () => getState().chosen ?? new Set<string>()

  return {
    store,
    start: () => setState({ ...idle, chosen: new Set() }),
    stop: () => setState(idle),

    /** Toggles a note. With `isRange`, all notes from the last touched one get the same state. */
    toggle(noteId: string, isRange: boolean, order: string[]) {
      const next = new Set(chosen())
      const isChosen = !next.has(noteId)
      for (const id of isRange ? rangeOf(order, getState().anchor, noteId) : [noteId]) {
        if (isChosen) next.add(id)
        else next.delete(id)
      }
      setState({ chosen: next, anchor: noteId, course: null })
    },

    add: (noteIds: string[]) => setState({ chosen: new Set([...chosen(), ...noteIds]) }),
    /** Removes all other notes from the selection. */
    keep: (noteIds: string[]) => setState({ chosen: new Set(noteIds.filter((id) => chosen().has(id))), course: null }),
    selectCourse: (course: string | null) => setState({ course }),
  }
}

export type NoteSelection = ReturnType<typeof createSelection>

/** Returns the notes between two notes in list order; only `to` if one of them is not in the list. */
function rangeOf(order: string[], from: string | null, to: string): string[] {
  const [one, other] = [order.indexOf(from ?? ''), order.indexOf(to)]
  if (one === -1 || other === -1) return [to]
  return order.slice(Math.min(one, other), Math.max(one, other) + 1)
}
