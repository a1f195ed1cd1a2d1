import { useSyncExternalStore } from 'react'

/** Whether a request is loading that the student waits for. Told by the query cache, which comes after the first page. */
let active = false
const listeners = new Set<() => void>()

export function reportActivity(isActive: boolean): void {
  if (isActive === active) return
  active = isActive
  for (const listener of listeners) listener()
}

export const useActivity = () => useSyncExternalStore(subscribe, () => active)

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
