import { useSyncExternalStore } from 'react'

export const listLooks = ['grid', 'list'] as const
export type ListLook = (typeof listLooks)[number]

const storageKey = 'lectern-list-look'
const listeners = new Set<() => void>()
let look = readLook()

function readLook(): ListLook {
  try {
    return localStorage.getItem(storageKey) === 'list' ? 'list' : 'grid'
  } catch {
    return 'grid'
  }
}

/** How a student likes to see lists of notes, on every page that has one. */
export const useListLook = (): ListLook => useSyncExternalStore(subscribe, () => look)

/** Shown at once, and kept for the next visit where storage allows. */
export function chooseListLook(chosen: ListLook): void {
  look = chosen
  try {
    localStorage.setItem(storageKey, chosen)
  } catch {
    // Storage is switched off: the choice holds until the page is left.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
