import { useSyncExternalStore } from 'react'

/**
 * Whether a request is loading that the student waits for. The query cache tells about its own, which keeps the cache
 * out of the first load; what is sent without it is tracked here.
 */
let queriesActive = false
let tracked = 0
const listeners = new Set<() => void>()

export function reportQueryActivity(isActive: boolean): void {
  queriesActive = isActive
  notify()
}

/** Counts as loading until it settles. Resolves and rejects as `request` does. */
export async function trackPending<T>(request: Promise<T>): Promise<T> {
  tracked++
  notify()
  try {
    return await request
  } finally {
    tracked--
    notify()
  }
}

export const useHasPendingRequests = () => useSyncExternalStore(subscribe, () => queriesActive || tracked > 0)

function notify() {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
