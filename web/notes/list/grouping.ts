import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

const storageKey = 'lectern.my-notes-by-course'
const store = createStore<boolean>(readWish)

/** Whether My Notes go course by course: a wish of this device, which remembers it. */
export const grouping = {
  getState: store.getState,

  set(isGrouped: boolean) {
    // The whole state, not a part to be merged.
    store.setState(isGrouped, true)
    try {
      localStorage.setItem(storageKey, String(isGrouped))
    } catch {
      // Storage can be switched off; then the wish lasts until the page is loaded again.
    }
  },
}

export const useGrouping = (): boolean => useStore(store)

function readWish(): boolean {
  try {
    return localStorage.getItem(storageKey) === 'true'
  } catch {
    return false
  }
}
