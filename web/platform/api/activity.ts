import { create } from 'zustand'

/**
 * Whether a request that the student waits for is pending. The query client reports its mutations, so that the first load
 * does not need it; other requests are tracked here.
 */
const useActivity = create(() => ({ isWriting: false, tracked: 0 }))

export const reportWrites = (isWriting: boolean): void => useActivity.setState({ isWriting })

/** Counts as loading until `request` settles, with the same result. */
export async function trackPending<T>(request: Promise<T>): Promise<T> {
  const count = (by: number) => useActivity.setState(({ tracked }) => ({ tracked: tracked + by }))
  count(1)
  try {
    return await request
  } finally {
    count(-1)
  }
}

export const useHasPendingRequests = () => useActivity(({ isWriting, tracked }) => isWriting || tracked > 0)
