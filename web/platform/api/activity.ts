import { useSyncExternalStore } from 'react'

/**
 * Whether a request that the student waits for is pending. The query cache reports its own, so that the first load does
 * not need it; other requests are tracked here.
 */
let queriesActive = false
let tracked = 0
const listeners = new Set<() => void>()

export function reportQueryActivity(isActive: boolean): void {
  queriesActive = isActive
  notify()
}

/** Counts as loading until `request` settles, with the same result. */
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

const hasPendingRequests = () => queriesActive || tracked > 0

export const useHasPendingRequests = () => useSyncExternalStore(subscribe, hasPendingRequests, hasPendingRequests)

function notify() {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
