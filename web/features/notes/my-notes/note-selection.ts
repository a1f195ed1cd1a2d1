import { create } from 'zustand'

type Choice = {
  /** Null while the user is not selecting. */
  chosen: ReadonlySet<string> | null
  /** The start of a range that is selected with Shift. */
  anchor: string | null
  /** The course whose notes are being selected while its remaining pages load. */
  course: string | null
}

const idle: Choice = { chosen: null, anchor: null, course: null }

/** Outside React state, so that a tick renders only its own card; the list is a different one when it is grouped. */
export const useSelection = create<Choice>(() => idle)
const { getState, setState } = useSelection
const chosen = () => getState().chosen ?? new Set<string>()

/** The notes in list order, for ranges. */
let order: string[] = []

export const selection = {
  start: () => setState({ ...idle, chosen: new Set() }),
  stop: () => setState(idle),

  setOrder(noteIds: string[]) {
    order = noteIds
  },

  /** Toggles a note. With `isRange`, all notes from the last touched one get the same state. */
  toggle(noteId: string, isRange: boolean) {
    const next = new Set(chosen())
    const isChosen = !next.has(noteId)
    for (const id of isRange ? rangeOf(getState().anchor, noteId) : [noteId]) {
      if (isChosen) next.add(id)
      else next.delete(id)
    }
    setState({ chosen: next, anchor: noteId, course: null })
  },

  add: (noteIds: string[]) => setState({ chosen: new Set([...chosen(), ...noteIds]) }),
  keep: (noteIds: string[]) => setState({ chosen: new Set(noteIds.filter((id) => chosen().has(id))), course: null }),
  selectCourse: (course: string | null) => setState({ course }),
}

/** Returns the notes between two notes in list order; only `to` if one of them is not in the list. */
function rangeOf(from: string | null, to: string): string[] {
  const [one, other] = [order.indexOf(from ?? ''), order.indexOf(to)]
  if (one === -1 || other === -1) return [to]
  return order.slice(Math.min(one, other), Math.max(one, other) + 1)
}
