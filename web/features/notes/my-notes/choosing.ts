import { createStore } from 'zustand/vanilla'

type Choice = {
  /** Null: one is not choosing. */
  chosen: ReadonlySet<string> | null
  /** Where a range begins that is chosen with Shift. */
  anchor: string | null
  /** The course all of whose notes are being chosen, as far as they are not loaded yet. */
  course: string | null
}

const idle: Choice = { chosen: null, anchor: null, course: null }

/** Which notes are chosen. Outside of React's state, so that a tick draws its own card alone. */
export function createSelection() {
  const store = createStore<Choice>(() => idle)
  const { getState, setState } = store
  const chosen = () => getState().chosen ?? new Set<string>()

  return {
    store,
    start: () => setState({ ...idle, chosen: new Set() }),
    stop: () => setState(idle),

    /** Ticks a note or takes its tick back; with `isRange` all notes from the last one touched on become as it does. */
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
    /** Keeps of the choice what is among these. */
    keep: (noteIds: string[]) => setState({ chosen: new Set(noteIds.filter((id) => chosen().has(id))), course: null }),
    wantCourse: (course: string | null) => setState({ course }),
  }
}

export type NoteSelection = ReturnType<typeof createSelection>

/** From one note to another, whichever comes first; the other alone where the one is not there. */
function rangeOf(order: string[], from: string | null, to: string): string[] {
  const [one, other] = [order.indexOf(from ?? ''), order.indexOf(to)]
  if (one === -1 || other === -1) return [to]
  return order.slice(Math.min(one, other), Math.max(one, other) + 1)
}
