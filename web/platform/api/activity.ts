import { create } from 'zustand'

/** The pending requests that the student waits for: not those whose outcome the page shows already. */
const usePending = create(() => ({ count: 0 }))

/** Counts as loading until `request` settles, with the same result. */
export async function trackPending<T>(request: Promise<T>): Promise<T> {
  const add = (by: number) => usePending.setState(({ count }) => ({ count: count + by }))
  add(1)
  try {
    return await request
  } finally {
    add(-1)
  }
}

export const useHasPendingRequests = () => usePending(({ count }) => count > 0)
